/** Ring buffer: a list that drops its oldest entry when it is full. */
export class Ring<T> {
  readonly capacity: number;
  readonly #kept: T[] = [];
  #pushed = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  push(one: T): void {
    this.#kept[this.#pushed % this.capacity] = one;
    this.#pushed += 1;
  }

  get length(): number {
    return this.#kept.length;
  }

  /** The number of all entries ever added. */
  get pushed(): number {
    return this.#pushed;
  }

  get last(): T | undefined {
    return this.#kept[(this.#pushed - 1) % this.capacity];
  }

  /** From the oldest to the newest. */
  toArray(): T[] {
    const oldest = this.#pushed % this.capacity;
    return this.#pushed <= this.capacity
      ? this.#kept.slice()
      : [...this.#kept.slice(oldest), ...this.#kept.slice(0, oldest)];
  }
}
