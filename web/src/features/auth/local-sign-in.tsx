// The 'Admin Access' card: the local administrator's way in.

import { authContract, type LocalSignInRequest } from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast-state.ts'
import { sessionQuery } from '../session/queries.ts'

const refused = 'Invalid credentials'

export interface LocalSignInProps {
  /** Called after a successful sign-in, and when the person goes back. */
  readonly onDone: () => void
}

/**
 * Both fields are required by the form itself and nothing else is asked of them. Everything
 * the server refuses reads 'Invalid credentials'.
 */
export function LocalSignIn({ onDone }: LocalSignInProps) {
  const signIn = useLocalSignIn(onDone)
  const password = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Disabled while pending, the password lost the focus; after a refusal it is the field to mend.
    if (signIn.isError) password.current?.focus()
  }, [signIn.isError])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    signIn.mutate({
      username: String(fields.get('username')),
      password: String(fields.get('password')),
    })
  }
  return (
    <section
      aria-labelledby="local-sign-in"
      className="card on-card w-full max-w-sm p-6 text-start"
    >
      <ShieldCheck aria-hidden="true" className="mb-3 size-8 text-accent-text" />
      <h1 id="local-sign-in" tabIndex={-1} className="text-2xl">
        Admin Access
      </h1>
      <p className="mb-5 text-muted">Local administrator login</p>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          disabled={signIn.isPending}
        />
        <TextField
          ref={password}
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          disabled={signIn.isPending}
          error={signIn.isError ? refused : undefined}
        />
        <Button type="submit" size="large" isPending={signIn.isPending}>
          {signIn.isPending ? 'Authenticating...' : 'Login'}
        </Button>
      </form>
      <Button tone="faint" onClick={onDone} className="mt-3 w-full">
        Back to normal login
      </Button>
    </section>
  )
}

function useLocalSignIn(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (credentials: LocalSignInRequest) =>
      call(authContract.local, { body: credentials }),
    onSuccess: async () => {
      toast({ title: 'Success', description: 'Local admin login successful' })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onDone()
    },
    onError: (error) => {
      toast({
        title: 'Error',
        description: refused,
        variant: 'destructive',
        detail: error.message,
      })
    },
  })
}
