// What the worker does with news that is pushed: it shows it, leads to its place on a click, and
// keeps the subscription when the browser replaces it.

interface Notifications {
  showNotification(title: string, options: NotificationOptions): Promise<void>
}

/** A page that is open in this browser. */
interface OpenPage {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}

interface OpenPages {
  matchAll(of: { type: 'window'; includeUncontrolled: true }): Promise<readonly OpenPage[]>
  openWindow(url: string): Promise<unknown>
}

interface Pushed {
  readonly title: string
  readonly body: string
  readonly path: string
  readonly tag: string
}

/** A browser takes the right to push away from who shows nothing, so something is always shown. */
const unreadable: Pushed = { title: 'There is news for you', body: '', path: '/', tag: 'news' }

function read(text: string | undefined): Pushed {
  try {
    const said = JSON.parse(text ?? '') as Partial<Pushed>
    return typeof said.title === 'string' ? { ...unreadable, ...said } : unreadable
  } catch {
    return unreadable
  }
}

/** Shows what came; the same message again takes the place of the first. */
export function showPush(text: string | undefined, shown: Notifications): Promise<void> {
  const { title, body, path, tag } = read(text)
  const icon = '/art/icon-192.png'
  return shown.showNotification(title, { body, tag, icon, badge: icon, data: { path } })
}

/** Leads to a notification's place: in the tab that is there, in another one of ours, or anew. */
export async function openPlace(path: unknown, pages: OpenPages, origin: string): Promise<void> {
  const asked = new URL(typeof path === 'string' ? path : '/', origin)
  const place = asked.origin === origin ? asked.href : `${origin}/`
  const open = await pages.matchAll({ type: 'window', includeUncontrolled: true })
  const there = open.find(({ url }) => url === place)
  const [any] = open
  if (there !== undefined) await there.focus()
  else if (any === undefined) await pages.openWindow(place)
  else {
    // A browser may keep its focus; the place is shown all the same.
    await any.focus().catch(() => undefined)
    // A page that this worker does not watch cannot be led.
    await any.navigate(place).catch(() => pages.openWindow(place))
  }
}

/** The part of the browser that subscribes to pushes. */
export interface PushSource {
  subscribe(options: PushSubscriptionOptionsInit): Promise<Pick<PushSubscription, 'toJSON'>>
}

/** Subscribes anew where the browser has not, and tells the server, as whoever is signed in. */
export async function renewPush(
  fresh: Pick<PushSubscription, 'toJSON'> | null | undefined,
  source: PushSource,
  ask: (path: string, init?: RequestInit) => Promise<Response>,
): Promise<void> {
  const { publicKey } = await (await ask('/api/notifications/push-key')).json()
  if (typeof publicKey !== 'string') return
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const { endpoint, keys } = (fresh ?? (await source.subscribe(options))).toJSON()
  await ask('/api/user/notifications/push', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  })
}
