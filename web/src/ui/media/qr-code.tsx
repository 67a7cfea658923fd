// A text as a QR code, for cameras and scanners.

import { useMemo } from 'react'
import { encode } from 'uqr'
import { cn } from '../../lib/class-names.ts'

interface QrCodeProps {
  readonly text: string
  /** What the code leads to, for those who do not see it. */
  readonly label: string
  readonly className?: string
}

/** One square for each dark module, in runs; black on white for every camera, in any theme. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  return modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
}

/** A text as a QR code, drawn here: it leaves the page for no other server. */
export function QrCode({ text, label, className = 'w-52 rounded-control' }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: 3 })
    return { size: code.size, path: pathOf(code.data) }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cn('bg-white', className)}
    >
      <path d={path} fill="#000000" />
    </svg>
  )
}
