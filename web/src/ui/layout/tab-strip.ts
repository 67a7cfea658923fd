// Where tabs stand that have less room than they need.

/** Scrolls tabs that have more than their room so that the open one stands in its middle. */
export function showAmongNeighbours(list: HTMLElement | null, value: string): void {
  const tab = list?.querySelector<HTMLElement>(`[data-tab="${value}"]`)
  if (!list || !tab) return
  const { offsetLeft, offsetTop, clientWidth, clientHeight } = list
  list.scrollLeft = tab.offsetLeft - offsetLeft - (clientWidth - tab.offsetWidth) / 2
  list.scrollTop = tab.offsetTop - offsetTop - (clientHeight - tab.offsetHeight) / 2
}
