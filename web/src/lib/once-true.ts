// Something that was so once counts as so from then on.

import { useState } from 'react'

/** False until the first time that `isTrue`, then true for as long as the component is there. */
export function useOnceTrue(isTrue: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(isTrue)
  if (isTrue && !wasTrue) setWasTrue(true)
  return wasTrue || isTrue
}
