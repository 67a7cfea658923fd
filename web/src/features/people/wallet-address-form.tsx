// Typing a wallet address: checked before it is sent, with a hint at what looks wrong.

import { useState } from 'react'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { isUnlikelyAddress, walletHint, walletProblem, walletProblems } from './wallet-address.ts'

export interface WalletAddressFormProps {
  readonly action: 'Connect' | 'Update'
  readonly isPending: boolean
  readonly onAddress: (address: string) => void
}

export function WalletAddressForm({ action, isPending, onAddress }: WalletAddressFormProps) {
  const [typed, setTyped] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [isAsking, setAsking] = useState(false)

  const submit = () => {
    if (isPending) return
    const problem = walletProblem(typed)
    if (problem === undefined) {
      if (isUnlikelyAddress(typed)) setAsking(true)
      else onAddress(typed)
      return
    }
    setChecked(true)
    toast({ ...walletProblems[problem], variant: 'destructive' })
  }
  return (
    <>
      <TextField
        label="Wallet address"
        hint="Paste or type the address, 32 to 44 characters."
        value={typed}
        // Addresses hold no white space; a pasted one often brings some along.
        onChange={(event) => setTyped(event.target.value.trim())}
        onBlur={() => setChecked(typed !== '')}
        onKeyDown={(event) => {
          // A disabled button would keep Enter from doing anything, so a blank field could not be
          // named.
          if (event.key === 'Enter') submit()
        }}
        error={isChecked ? walletHint(typed) : undefined}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="font-mono text-sm"
        end={
          <Button tone="secondary" onClick={submit} isPending={isPending} disabled={typed === ''}>
            {action}
          </Button>
        }
      />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Unusual address"
        description="This does not look like a Solana address. Connect it anyway?"
        confirmLabel={action}
        tone="primary"
        onConfirm={() => {
          setAsking(false)
          onAddress(typed)
        }}
      />
    </>
  )
}
