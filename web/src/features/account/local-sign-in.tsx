// The 'Admin Access' card: the local administrator's way in.

import { authContract, type LocalSignInRequest } from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { askWhoIsSignedIn } from '../session/queries.ts'

const refused = 'Invalid credentials'
const codeRefused = 'Wrong code'

/** The password was right and a code of the second factor is asked for. */
function wantsCode(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required'
}

function refusesCode(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_invalid'
}

export interface LocalSignInProps {
  /** Called after a successful sign-in, and when the person goes back. */
  readonly onDone: () => void
}

/**
 * Both fields are required by the form itself and nothing else is asked of them. Everything
 * the server refuses reads 'Invalid credentials'. With a second factor the password is the
 * first of two steps.
 */
export function LocalSignIn({ onDone }: LocalSignInProps) {
  const [halfway, setHalfway] = useState<LocalSignInRequest>()
  return halfway ? (
    <CodeStep credentials={halfway} onDone={onDone} onBack={() => setHalfway(undefined)} />
  ) : (
    <PasswordStep onDone={onDone} onCodeWanted={setHalfway} />
  )
}

interface PasswordStepProps extends LocalSignInProps {
  readonly onCodeWanted: (credentials: LocalSignInRequest) => void
}

function PasswordStep({ onDone, onCodeWanted }: PasswordStepProps) {
  const signIn = useLocalSignIn(onDone, onCodeWanted)
  const password = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Disabled while pending, the password lost the focus; after a refusal it is the field to mend.
    if (signIn.isError) password.current?.focus()
  }, [signIn.isError])

  return (
    <SignInCard
      text="Local administrator login"
      isPending={signIn.isPending}
      onSubmit={(textOf) =>
        signIn.mutate({ username: textOf('username'), password: textOf('password') })
      }
      backLabel="Back to normal login"
      onBack={onDone}
    >
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
    </SignInCard>
  )
}

interface CodeStepProps extends LocalSignInProps {
  /** What the first step has found to be right. */
  readonly credentials: LocalSignInRequest
  readonly onBack: () => void
}

function CodeStep({ credentials, onDone, onBack }: CodeStepProps) {
  const signIn = useLocalSignIn(onDone)
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The field comes in place of the password; after a refusal it is the one to mend.
    if (!signIn.isPending) code.current?.focus()
  }, [signIn.isPending])
  const { error, isPending } = signIn
  return (
    <SignInCard
      text="Enter the code from your authenticator app"
      isPending={isPending}
      onSubmit={(textOf) => signIn.mutate({ ...credentials, code: textOf('code').trim() })}
      backLabel="Back to username and password"
      onBack={onBack}
    >
      <TextField
        ref={code}
        label="Code"
        name="code"
        hint="A recovery code works too."
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        disabled={isPending}
        error={error ? (refusesCode(error) ? codeRefused : refused) : undefined}
      />
    </SignInCard>
  )
}

interface SignInCardProps {
  readonly text: string
  readonly isPending: boolean
  /** `textOf` gives what stands in a field by its name. */
  readonly onSubmit: (textOf: (name: string) => string) => void
  readonly backLabel: string
  readonly onBack: () => void
  readonly children: ReactNode
}

function SignInCard(props: SignInCardProps) {
  const { text, isPending, onSubmit, backLabel, onBack, children } = props
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    onSubmit((name) => String(fields.get(name)))
  }
  return (
    <section
      aria-labelledby="local-sign-in"
      className="card on-card w-full max-w-sm p-6 text-start"
    >
      <ShieldCheck className="mb-3 size-8 text-muted" />
      <h1 id="local-sign-in" tabIndex={-1} className="text-2xl">
        Admin Access
      </h1>
      <p className="mb-5 text-muted">{text}</p>
      <form onSubmit={submit} className="grid gap-4">
        {children}
        <Button type="submit" size="large" isPending={isPending} pendingLabel="Authenticating...">
          Login
        </Button>
      </form>
      <Button tone="faint" onClick={onBack} className="mt-3 w-full">
        {backLabel}
      </Button>
    </section>
  )
}

function useLocalSignIn(
  onDone: () => void,
  onCodeWanted?: (credentials: LocalSignInRequest) => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (credentials: LocalSignInRequest) =>
      call(authContract.local, { body: credentials }),
    onSuccess: async () => {
      // An answer that names another person takes earlier messages away.
      await askWhoIsSignedIn(queryClient).catch(() => undefined)
      toast({ title: 'Success', description: 'Local admin login successful' })
      onDone()
    },
    onError: (error, credentials) => {
      if (onCodeWanted && wantsCode(error)) return onCodeWanted(credentials)
      toast({
        title: 'Error',
        description: refusesCode(error) ? codeRefused : refused,
        variant: 'destructive',
        detail: error.message,
      })
    },
  })
}
