// The stream form: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import { type AdminStream, adminStreamsContract } from '@redpack/contract'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useCall } from '../../lib/use-call.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import { showFieldErrors } from '../../ui/show-field-errors.ts'
import {
  newStreamDraft,
  type StreamDraft,
  StreamForm,
  type StreamRequest,
  streamBodyOf,
  streamChangeOf,
  streamDraftOf,
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
export function useStreamForm(stream: AdminStream | undefined, onDone: () => void) {
  const create = useCall(adminStreamsContract.create)
  const update = useCall(adminStreamsContract.update)
  const [start] = useState(() => (stream ? streamDraftOf(stream) : newStreamDraft))
  const form: StreamFormReturn = useForm<StreamDraft, unknown, StreamRequest>({
    resolver: zodResolver(StreamForm),
    defaultValues: start,
  })
  const save = form.handleSubmit(async () => {
    const draft = form.getValues()
    const word = stream ? 'updat' : 'creat'
    try {
      if (stream) {
        const body = streamChangeOf(draft, start)
        if (isUnchanged(body)) return onDone()
        await update.mutateAsync({ params: { id: stream.id }, body })
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
  return { form, save, isSaving: create.isPending || update.isPending }
}
