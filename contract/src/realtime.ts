// What the server tells an open page over its one WebSocket, and where that socket is.

import * as z from 'zod/mini'
import { realtimeTopics } from './topics.ts'

export const realtimePath = '/api/realtime'

/**
 * A message says what has changed; the page then asks for it again with the calls it has anyway. So
 * a lost message costs nothing but time, and nothing private travels here.
 */
export const RealtimeMessage = z.object({ changed: z.array(z.enum(realtimeTopics)) })
export type RealtimeMessage = z.infer<typeof RealtimeMessage>
