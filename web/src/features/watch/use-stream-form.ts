// The stream form: its values, and what saving does.

import { zodResolver } from '@hookform/resolvers/zod'
import type { AdminStream } from '@redpack/contract'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { isUnchanged, toastDone, toastFailed } from '../../ui/outcome-toast.ts'
import {
  newStreamDraft,
  type StreamDraft,
  StreamForm,
  type StreamRequest,
  streamBodyOf,
  streamChangeOf,
  streamDraftOf,
} from './stream-form-values.ts'
import { useCreateStream, useUpdateStream } from './stream-queries.ts'

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

function showFieldErrors(form: StreamFormReturn, error: unknown): void {
  if (!(error instanceof ApiError)) return
  for (const field of fields) {
    if (error.fields[field]) form.setError(field, { message: error.fields[field] })
  }
}

/** `stream` is the one that is edited; absent for a new one. */
export function useStreamForm(stream: AdminStream | undefined, onDone: () => void) {
  const create = useCreateStream()
  const update = useUpdateStream()
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
        const change = streamChangeOf(draft, start)
        if (isUnchanged(change)) return onDone()
        await update.mutateAsync({ id: stream.id, change })
      } else {
        await create.mutateAsync(streamBodyOf(draft))
      }
      toastDone(`Stream ${word}ed successfully`)
      onDone()
    } catch (error) {
      showFieldErrors(form, error)
      toastFailed(`Error ${word}ing stream`, error, `Failed to ${word}e stream`)
    }
  })
  return { form, save, isSaving: create.isPending || update.isPending }
}
