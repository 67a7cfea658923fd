// Runs before the first paint: the saved colours, what to show while the app loads, a live button,
// and the keys pressed before the app listens.
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
  if (root.dataset.start === 'wait') keepEarlyKeys()
  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-start-link]')
    if (link) location.assign(link.dataset.startLink)
  })

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
