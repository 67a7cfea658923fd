// Streams as staff keep them, over HTTP, under both prefixes.

import { adminStreamsContract as contract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { staffMember } from '../../adapters/http/staff-call.ts'
import { deleteStream, restoreStream } from './delete-stream.ts'
import { changeStream, createStream, toggleStream } from './save-stream.ts'
import { setLive } from './set-live.ts'
import { adminStreamRewards, adminStreams, adminStreamWith } from './views.ts'

export function registerStreams({ app, world, guards }: FeatureContext): void {
  const shown = (id: number) => adminStreamWith(world.db, id)

  serve(app, guards, contract.list, () => adminStreams(world.db))
  serve(app, guards, contract.create, async (call) =>
    shown(await createStream(world, staffMember(call), call.body)),
  )
  serve(app, guards, contract.update, async (call) => {
    await changeStream(world, staffMember(call), call.params.id, call.body)
    return shown(call.params.id)
  })
  serve(app, guards, contract.toggle, async (call) => {
    await toggleStream(world, staffMember(call), call.params.id, call.body.isActive)
    return shown(call.params.id)
  })
  serve(app, guards, contract.remove, async (call) => {
    await deleteStream(world, staffMember(call), call.params.id)
    return { success: true, message: 'Stream deleted' } as const
  })
  serve(app, guards, contract.restore, async (call) => {
    await restoreStream(world, staffMember(call), call.params.id)
    return shown(call.params.id)
  })
  serve(app, guards, contract.rewards, ({ params }) => adminStreamRewards(world.db, params.id))
  serve(app, guards, contract.setLive, async (call) => {
    const { isLive, currentStreamId } = call.body
    const order = { isLive, streamId: currentStreamId ?? undefined }
    await setLive(world, staffMember(call), call.params.id, order)
    return shown(call.params.id)
  })
}
