// Starts the app: the first screen is ready before it takes the place of the static one.

import '../styles/main.css'
import { StrictMode, startTransition } from 'react'
import { refreshOnBalance } from '../features/session/balance-queries.ts'
import { sessionQuery } from '../features/session/queries.ts'
import { logFailure } from '../lib/log.ts'
import { followContrastPreference, loadTheme } from '../lib/theme.ts'
import { App } from './app.tsx'
import { preloadFrame } from './frame.tsx'
import { keepShell } from './keep-shell.ts'
import { createQueryClient } from './refresher.ts'
import { createAppRouter } from './router.tsx'

async function start(element: HTMLElement): Promise<void> {
  const queryClient = createQueryClient()
  const router = createAppRouter()
  refreshOnBalance(queryClient)
  followContrastPreference()
  loadTheme(queryClient).catch((error) => logFailure('The theme could not be loaded', error))
  const { pathname } = window.location
  // The page's first script has asked already: the first picture need not wait for another round.
  if (pathname !== '/logout') void queryClient.prefetchQuery(sessionQuery)
  // What cannot be loaded now is asked for again when it is drawn, and shown as a crash then.
  await Promise.all([router.load(), pathname === '/' ? undefined : preloadFrame()]).catch((error) =>
    logFailure('The first screen could not be loaded', error),
  )
  // A piece of work of its own: at once with the app's code it would keep a phone from hearing.
  const { createRoot } = await import('react-dom/client')
  // In slices, so that a press is heard meanwhile.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <App router={router} queryClient={queryClient} />
      </StrictMode>,
    ),
  )
}

const element = document.getElementById('root')
// After the evaluation of this code: whatever notes where a call came from, as the tools of a
// browser do, would read all of it once more.
if (element) {
  Promise.resolve(element)
    .then(start)
    .catch((error) => logFailure('The app could not start', error))
}
keepShell()
