// The browser's own subscription to pushed news, apart from what only the profile needs of it.

/** Undefined where there is none, or the browser knows nothing of such. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  if (!('serviceWorker' in navigator && 'PushManager' in window)) return undefined
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/** Ends it; its push service tells the server. */
export async function unsubscribe(): Promise<void> {
  await (await currentSubscription())?.unsubscribe()
}
