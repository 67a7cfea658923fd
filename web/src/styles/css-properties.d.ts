// Lets style objects carry custom properties.

import 'react'

declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined
  }
}
