// Posts one reward message to a channel, to see that everything works.

import { zodResolver } from '@hookform/resolvers/zod'
import { adminBotsContract, type DiscordServer, TestClaimRequest } from '@redpack/contract'
import { Send } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { channelText } from './channel-text.ts'

/** Channels that one press fills in; any other is typed. */
const offeredMax = 5

export function TestClaim({ servers }: { readonly servers: readonly DiscordServer[] }) {
  const test = useCall(adminBotsContract.testClaim)
  const active = servers.filter(({ isActive }) => isActive).slice(0, offeredMax)
  const form = useForm<TestClaimRequest>({
    resolver: zodResolver(TestClaimRequest),
    defaultValues: { channelId: '' },
  })
  const send = form.handleSubmit(async (body) => {
    // Nobody sends it again but whoever presses again: each message pays.
    await reportOutcome(test.mutateAsync({ body }), {
      done: 'Test claim sent successfully',
      failureTitle: 'Error',
      fallback: 'Failed to send test claim',
    })
  })
  return (
    <Card>
      <CardHeader
        level={3}
        title="Test claim"
        description="Posts a real reward, open for an hour. The channel must be whitelisted."
      />
      <form noValidate onSubmit={send} aria-label="Test claim" className="grid gap-5">
        <TextField
          label="Channel ID"
          required
          autoComplete="off"
          inputMode="numeric"
          error={form.formState.errors.channelId?.message}
          {...form.register('channelId')}
        />
        {active.length > 0 && (
          <ul aria-label="Whitelisted channels" className="flex list-none flex-wrap gap-2 p-0">
            {active.map(({ id, channelId, channelName, serverName }) => (
              <li key={id} className="min-w-0">
                <Button
                  tone="secondary"
                  size="compact"
                  className="min-h-11 max-w-full"
                  onClick={() => form.setValue('channelId', channelId, { shouldValidate: true })}
                >
                  <span className="truncate">
                    {serverName}, {channelText(channelName)}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Button
          type="submit"
          tone="secondary"
          isPending={test.isPending}
          className="justify-self-end"
        >
          {!test.isPending && <Send aria-hidden="true" />}
          {test.isPending ? 'Sending...' : 'Send test claim'}
        </Button>
      </form>
    </Card>
  )
}
