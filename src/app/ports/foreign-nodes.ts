/** Tolerates DOM changes by translators, password managers and extensions. Decision 21. */

/**
 * Lets React remove and insert elements that a translator has wrapped. Otherwise the browser throws a NotFoundError
 * and React unmounts the screen.
 */
export function tolerateForeignNodes(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the node that they belong to
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<T extends Node>(child: T): T {
    // Removed from its present parent; an element already out of the page stays out.
    if (child.parentNode) removeChild.call(child.parentNode, child);
    return child;
  };
  Node.prototype.insertBefore = function insert<T extends Node>(this: Node, node: T, next: Node | null): T {
    let place = next;
    while (place && place.parentNode !== this) place = place.parentNode;
    insertBefore.call(this, node, place);
    return node;
  };
}
