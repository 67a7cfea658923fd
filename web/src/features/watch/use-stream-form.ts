// The stream form: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminStream, adminStreamsContract } from '@redpack/contract'
import { useMemo } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { heldBy, useSharedRecord } from '../../ui/form/shared-record.tsx'
import { showFieldErrors } from '../../ui/form/show-field-errors.ts'
import {
  newStreamDraft,
  type StreamDraft,
  StreamForm,
  type StreamRequest,
  streamBodyOf,
  streamChangeOf,
  streamDraftOf,
  streamSeen,
} from './stream-form-values.ts'

export type StreamFormReturn = UseFormReturn<StreamDraft, unknown, StreamRequest>

/** Fields that the server has sentences for beyond the rules of the form. */
const fields = [
  'displayName',
  'channelName',
  'twitchChannelId',
  'channelUrl',
  'watchTimeRequired',
  'completionMessage',
  'scheduledStartTime',
  'scheduledEndTime',
] as const

/** `stream` is the one that is edited; absent for a new one. */
export function useStreamForm(
  stream: AdminStream | undefined,
  isGone: boolean,
  onDone: () => void,
) {
  const create = useCall(adminStreamsContract.create)
  const update = useCall(adminStreamsContract.update)
  const stored = useMemo(() => (stream ? streamDraftOf(stream) : newStreamDraft), [stream])
  const form: StreamFormReturn = useForm<StreamDraft, unknown, StreamRequest>({
    resolver: zodResolver(StreamForm),
    defaultValues: stored,
  })
  const shared = useSharedRecord(heldBy(form), stored, isGone)
  const save = form.handleSubmit(async () => {
    const draft = form.getValues()
    const word = stream ? 'updat' : 'creat'
    try {
      if (stream) {
        const body = streamChangeOf(draft, stored)
        if (isUnchanged(body)) return onDone()
        await update.mutateAsync({
          params: { id: stream.id },
          body: { ...body, expected: streamSeen(stream, body) },
        })
      } else {
        await create.mutateAsync({ body: streamBodyOf(draft) })
      }
      toastDone(`Stream ${word}ed successfully`)
      onDone()
    } catch (error) {
      showFieldErrors(form, fields, error)
      toastFailed(`Error ${word}ing stream`, error, `Failed to ${word}e stream`)
    }
  })
  return { form, save, shared, isSaving: create.isPending || update.isPending }
}
