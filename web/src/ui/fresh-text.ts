// The text of a field in a question that is asked again and again.

import { useState } from 'react'

/** A text that is empty again whenever the question is closed, so that each starts anew. */
export function useFreshText(isOpen: boolean): readonly [string, (text: string) => void] {
  const [text, setText] = useState('')
  if (!isOpen && text !== '') setText('')
  return [text, setText]
}
