// Runs before the first paint: the saved colours, what to show while the app loads and when it does
// not come, who is signed in, a live button, and the keys pressed before the app listens. Builds put
// it into the page itself.
;(() => {
  const root = document.documentElement
  // The server writes the saved theme's palette into the page; without it, the last visit's is used.
  const sent = document.querySelector('meta[name="palette"]')?.content
  try {
    const palette = JSON.parse(sent || localStorage.getItem('redpack:palette') || '{}')
    for (const [name, value] of Object.entries(palette)) root.style.setProperty(name, value)
  } catch {
    // Without storage, or with a broken entry, the page starts in the default colours.
  }
  let wasSignedIn = false
  try {
    wasSignedIn = localStorage.getItem('redpack:signed-in') !== null
  } catch {
    // Without storage every visit begins with the invitation.
  }
  if (wasSignedIn || location.pathname !== '/') root.dataset.start = 'wait'
  // Asked once here and taken by the app's own questions, which come when its code is there.
  window.redpackFirstAnswers = {}
  if (location.pathname !== '/logout') ask('/api/auth/me')
  if (root.dataset.start === 'wait') {
    keepEarlyKeys()
    fetchScreen()
  }
  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-start-link]')
    if (link) location.assign(link.dataset.startLink)
  })

  // The app's first picture takes the place of this too, also when it comes late after all.
  const startMsMax = 20_000
  const offerToTryAgain = () => document.querySelector('.start-failed')?.removeAttribute('hidden')
  const onFailure = ({ target }) => {
    if (target?.type !== 'module') return
    // Nothing is on its way any more.
    for (const wait of document.querySelectorAll('#root [role="status"]')) wait.remove()
    offerToTryAgain()
  }
  // Failures of scripts do not bubble; the script stands before the offer, so it may fail first.
  addEventListener('error', (event) => setTimeout(onFailure, 0, { target: event.target }), true)
  setTimeout(offerToTryAgain, startMsMax)

  function ask(path) {
    const headers = { accept: 'application/json' }
    // As the app's own calls: kept answers are shown on the way back through the history.
    const answer = fetch(path, { credentials: 'same-origin', headers, cache: 'no-cache' })
    window.redpackFirstAnswers[path] = { answer, atMs: Date.now() }
    // Whoever has taken the answer hears of the failure; whoever comes later asks anew.
    const forget = () => delete window.redpackFirstAnswers?.[path]
    answer.then(({ status }) => status < 500 || forget(), forget)
  }

  // What the screen asks and its code come with the app's code, not after it. In development there
  // is no list.
  function fetchScreen() {
    const needs = JSON.parse(document.getElementById('screen-files')?.textContent ?? '{}')
    const [, word] = location.pathname.split('/')
    const screen = word === '' ? 'dashboard' : word.replace(/^admin-.*/, 'admin')
    for (const href of [...(needs[screen] ?? []), ...(needs.frame ?? [])]) {
      if (!href.startsWith('/api/')) fetchCode(href)
      // Another page or filter asks something else, and so do visitors.
      else if (wasSignedIn && location.search === '') ask(href)
    }
  }

  function fetchCode(href) {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { rel: 'modulepreload', fetchPriority: 'low', href }))
  }

  // Shortcuts work from the first paint on: the app asks for these presses once it listens itself.
  function keepEarlyKeys() {
    const pressesMax = 20
    const presses = []
    const keep = (event) => {
      if (event.target.closest?.('input, textarea, select')) return
      if (presses.length < pressesMax) presses.push(event)
      // Browsers have a use of their own for this one.
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') event.preventDefault()
    }
    addEventListener('keydown', keep)
    window.redpackEarlyKeys = () => {
      removeEventListener('keydown', keep)
      return presses.splice(0)
    }
  }
})()
