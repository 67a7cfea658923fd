// What is pressed is meant once: when a press comes again, something else may stand there.

const sends = 'form [type="submit"]'

/**
 * Has nothing pressed by an Enter that is still held, nor a form sent by the second half of a
 * double click.
 * @returns the way to stop
 */
export function pressOnce(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isAgain = event.repeat && event.key === 'Enter'
    // A text of several lines goes on to the next ones.
    if (isAgain && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const isAgain = event.detail > 1
    if (isAgain && event.target instanceof Element && event.target.closest(sends))
      event.preventDefault()
  }
  window.addEventListener('keydown', onKeyDown, true)
  window.addEventListener('click', onClick, true)
  return () => {
    window.removeEventListener('keydown', onKeyDown, true)
    window.removeEventListener('click', onClick, true)
  }
}
