// Lets one piece of work of a kind run at a time, over all tabs of this browser where it can.

const lastOf = new Map<string, Promise<unknown>>()

/** Runs the work once all earlier work under the name has ended, well or badly. */
export function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator.locks?.request === 'function') {
    return navigator.locks.request(name, work) as Promise<T>
  }
  const turn = (lastOf.get(name) ?? Promise.resolve()).then(work, work)
  lastOf.set(
    name,
    turn.catch(() => undefined),
  )
  return turn
}
