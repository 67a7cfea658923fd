// How far a batch has come: one pip per result, or a bar where pips would be too many.

const mostPips = 12

interface OpeningProgressProps {
  readonly index: number
  readonly count: number
}

/** Decoration for the eye: the heading says the same in words. Nothing for a single result. */
export function OpeningProgress({ index, count }: OpeningProgressProps) {
  if (count < 2) return null
  if (count > mostPips) {
    return (
      <div className="progress-bar" aria-hidden="true">
        <div style={{ transform: `scaleX(${(index + 1) / count})` }} />
      </div>
    )
  }
  return (
    <div className="progress-pips" aria-hidden="true">
      {Array.from({ length: count }, (_, pip) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pip is its position
        <span key={pip} data-pip={pip < index ? 'past' : pip === index ? 'now' : 'next'} />
      ))}
    </div>
  )
}
