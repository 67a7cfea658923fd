// What the notices feature asks the server: the list, and that it has been read.

import { type NoticesResponse, noticesContract } from '@redpack/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useAct } from '../../lib/use-call.ts'
import { useDialogOpen } from '../../ui/overlay/dialog-shell.ts'

const noticesQuery = endpointQuery(noticesContract.list, {
  shows: ['user'],
  empty: { notices: [], unreadCount: 0 },
})

/** How often notices are asked for when nothing is heard over the socket, in milliseconds. */
export const noticesPollMs = 60_000

/** The caller's notices. Not asked for under an open dialog, whose reveal they could give away. */
export function useNotices() {
  return useQuery<NoticesResponse>({
    ...noticesQuery,
    enabled: !useDialogOpen(),
    refetchInterval: noticesPollMs,
    refetchOnWindowFocus: true,
    staleTime: noticesPollMs / 2,
  })
}

/** Marks everything up to a moment as read, on screen at once. */
export function useReadNotices() {
  const queryClient = useQueryClient()
  return useAct({
    mutationFn: (readUntil: string) => call(noticesContract.read, { body: { readUntil } }),
    onSuccess: ({ readUntil }) => {
      queryClient.setQueryData<NoticesResponse>(noticesQuery.queryKey, (known) => {
        if (!known) return known
        const notices = known.notices.map((notice) =>
          notice.at <= readUntil ? { ...notice, isUnread: false } : notice,
        )
        return { notices, unreadCount: notices.filter(({ isUnread }) => isUnread).length }
      })
    },
  })
}
