// Posts one reward message to a channel, to see that everything works.

import { zodResolver } from '@hookform/resolvers/zod'
import { type DiscordServer, TestClaimRequest } from '@redpack/contract'
import { Send } from 'lucide-react'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { reportOutcome } from '../../ui/outcome-toast.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useTestClaim } from './queries.ts'

export function TestClaim({ servers }: { readonly servers: readonly DiscordServer[] }) {
  const test = useTestClaim()
  const listId = useId()
  const form = useForm<TestClaimRequest>({
    resolver: zodResolver(TestClaimRequest),
    defaultValues: { channelId: '' },
  })
  const send = form.handleSubmit(async ({ channelId }) => {
    await reportOutcome(test.mutateAsync(channelId), {
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
        description="Posts a real reward that is open for an hour. The channel must be on the whitelist."
      />
      <form noValidate onSubmit={send} aria-label="Test claim" className="grid gap-5">
        <TextField
          label="Channel ID"
          required
          autoComplete="off"
          inputMode="numeric"
          list={listId}
          error={form.formState.errors.channelId?.message}
          {...form.register('channelId')}
        />
        <datalist id={listId}>
          {servers.map(({ id, channelId, serverName, channelName }) => (
            <option key={id} value={channelId}>{`${serverName}, #${channelName}`}</option>
          ))}
        </datalist>
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
