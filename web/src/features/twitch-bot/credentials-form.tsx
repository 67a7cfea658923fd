// The form for the Twitch bot's credentials. Stored tokens stand in it as their mask alone.

import { zodResolver } from '@hookform/resolvers/zod'
import {
  adminBotsContract,
  type BotCredentials,
  SaveBotCredentialsRequest,
} from '@redpack/contract'
import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed, toastUnchanged } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { showFieldErrors } from '../../ui/form/show-field-errors.ts'
import { TextField, type TextFieldProps } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { credentialsQuery } from './queries.ts'

type Draft = z.input<typeof SaveBotCredentialsRequest>

function draftOf(credentials: BotCredentials | null): Draft {
  return {
    botUsername: credentials?.botUsername ?? '',
    botUserId: credentials?.botUserId ?? '',
    clientId: credentials?.clientId ?? '',
    accessToken: credentials?.accessToken ?? '',
    refreshToken: credentials?.refreshToken ?? '',
  }
}

const plainFields = [
  { name: 'botUsername', label: 'Bot username' },
  { name: 'botUserId', label: 'Bot user ID' },
  { name: 'clientId', label: 'Client ID' },
] as const
const fields = ['botUsername', 'botUserId', 'clientId', 'accessToken', 'refreshToken'] as const

export function CredentialsForm({ credentials }: { readonly credentials: BotCredentials | null }) {
  const { mutateAsync, isPending } = useCall(
    adminBotsContract.saveCredentials,
    credentialsQuery.queryKey,
  )
  const form = useForm<Draft, unknown, SaveBotCredentialsRequest>({
    resolver: zodResolver(SaveBotCredentialsRequest),
    defaultValues: draftOf(credentials),
  })
  const { register, formState } = form
  const { isDirty } = formState
  const save = form.handleSubmit(async (body) => {
    if (credentials && !isDirty) return toastUnchanged()
    try {
      // What was typed leaves the page: the answer holds masks alone.
      form.reset(draftOf(await mutateAsync({ body })))
      toastDone('Twitch credentials updated successfully')
    } catch (error) {
      showFieldErrors(form, fields, error)
      toastFailed('Error', error, 'Failed to save Twitch credentials')
    }
  })
  const stays = credentials ? 'Leave the dots to keep the stored one.' : undefined
  return (
    <Card>
      <CardHeader level={3} title="Twitch bot credentials" />
      <form noValidate onSubmit={save} aria-label="Twitch bot credentials" className="grid gap-5">
        {plainFields.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            required
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            error={formState.errors[name]?.message}
            {...register(name)}
          />
        ))}
        <SecretField
          label="Access token"
          required
          hint={stays}
          error={formState.errors.accessToken?.message}
          {...register('accessToken')}
        />
        <SecretField
          label="Refresh token"
          hint={stays ?? 'Optional. Without it the access token ends one day.'}
          error={formState.errors.refreshToken?.message}
          {...register('refreshToken')}
        />
        <Button type="submit" isPending={isPending} className="justify-self-end">
          {isPending ? 'Saving...' : 'Save credentials'}
        </Button>
      </form>
    </Card>
  )
}

const shownMs = 10_000

interface SecretFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'label'> {
  readonly label: string
}

/** A field for a token: dots, until somebody asks to see it for ten seconds. */
function SecretField(props: SecretFieldProps) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(false), shownMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete="off"
      spellCheck={false}
      end={
        <IconButton
          label={`${isShown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        </IconButton>
      }
    />
  )
}
