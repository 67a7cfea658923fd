// Runs before the first paint: the saved colours, what to show while the app loads, and a live button.
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
  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-start-link]')
    if (link) location.assign(link.dataset.startLink)
  })
})()
