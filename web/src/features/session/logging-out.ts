// The flag that a logout is in progress: every screen waits while it is up.

import { createAtom, useSelector } from '@tanstack/react-store'

export const loggingOut = createAtom(false)

/** True from the start of a logout until the page is left. */
export const useLoggingOut = (): boolean => useSelector(loggingOut)
