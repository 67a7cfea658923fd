// Who is signed in, for what knows nothing of sessions.

import { authContract } from '@redpack/contract'
import { useQueryClient } from '@tanstack/react-query'

/** Asks for the id in the last answer: null for nobody, undefined before the first answer. */
export function useSignedIn(): () => number | null | undefined {
  const queryClient = useQueryClient()
  return () => {
    const user = queryClient.getQueryData<{ readonly id: number } | null>([authContract.me.path])
    return user ? user.id : user
  }
}
