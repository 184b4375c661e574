/** Listens to the events that an actor and the actors it invokes emit. */
import type { AnyActorRef, EventObject } from "xstate";

/** @returns stops listening */
export function listen(actor: AnyActorRef, handle: (event: EventObject) => void): () => void {
  let listens = true;
  const hear = (one: AnyActorRef) => one.on("*", (event) => (listens ? handle(event) : undefined));
  const { children = {} } = actor.getSnapshot() as { children?: Readonly<Record<string, AnyActorRef>> };
  for (const one of [actor, ...Object.values(children)]) hear(one);
  const later = actor.system.inspect((event) => {
    if (event.type === "@xstate.actor") hear(event.actorRef as AnyActorRef);
  });
  return () => {
    listens = false;
    later.unsubscribe();
  };
}
