// Says that there is more below, as long as there is.

import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

/** Stands at the end of what scrolls and sticks to its lower edge. Decoration: keys scroll too. */
export function ScrollCue({ text }: { readonly text: string }) {
  const end = useRef<HTMLDivElement>(null)
  const [isMore, setMore] = useState(false)
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver !== 'function') return
    const observer = new IntersectionObserver(([entry]) => setMore(entry?.isIntersecting === false))
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <div ref={end} className="scroll-end" aria-hidden="true" />
      {isMore && (
        <div className="scroll-cue" aria-hidden="true">
          <span>
            {text} <ChevronDown />
          </span>
        </div>
      )}
    </>
  )
}
