// A form is sent by a press of its own: when a press comes again, the form may be another one.

const sends = 'form [type="submit"]'

/**
 * Has no form sent by an Enter that is still held, nor by the second half of a double click.
 * @returns the way to stop
 */
export function sendFormsOnce(): () => void {
  const refuse = (event: Event, isAgain: boolean, selector: string) => {
    if (isAgain && event.target instanceof Element && event.target.closest(selector))
      event.preventDefault()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    refuse(event, event.repeat && event.key === 'Enter', `form input, ${sends}`)
  }
  const onClick = (event: MouseEvent) => refuse(event, event.detail > 1, sends)
  window.addEventListener('keydown', onKeyDown, true)
  window.addEventListener('click', onClick, true)
  return () => {
    window.removeEventListener('keydown', onKeyDown, true)
    window.removeEventListener('click', onClick, true)
  }
}
