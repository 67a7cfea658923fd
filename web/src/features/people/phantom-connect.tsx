// The button that asks the Phantom extension for an address.

import { Ghost } from 'lucide-react'
import { useState } from 'react'
import { logFailure } from '../../lib/log.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { findPhantom, isDeclined } from './phantom.ts'

export interface PhantomConnectProps {
  readonly isPending: boolean
  readonly onAddress: (address: string) => void
}

const notFound = {
  title: 'Phantom Wallet Not Found',
  description: 'Please install Phantom wallet extension to connect automatically.',
  variant: 'destructive',
} as const

const failed = {
  title: 'Connection Failed',
  description: 'Failed to connect to Phantom wallet. Please try again.',
} as const

export function PhantomConnect({ isPending, onAddress }: PhantomConnectProps) {
  const [step, setStep] = useState<'idle' | 'looking' | 'asking'>('idle')

  const connect = async () => {
    setStep('looking')
    const provider = await findPhantom()
    if (!provider) {
      setStep('idle')
      toast(notFound)
      return
    }
    setStep('asking')
    try {
      const { publicKey } = await provider.connect()
      onAddress(publicKey.toString())
    } catch (error) {
      logFailure('Phantom did not connect', error)
      // Declining is an answer of the person's own: said, but not in alarm.
      toast({ ...failed, variant: isDeclined(error) ? 'default' : 'destructive' })
    } finally {
      setStep('idle')
    }
  }
  return (
    <Button
      onClick={connect}
      isPending={step !== 'idle'}
      disabled={isPending}
      className="justify-self-start"
    >
      {step === 'idle' && <Ghost aria-hidden="true" />}
      {step === 'idle' && 'Connect with Phantom'}
      {step === 'looking' && 'Looking for Phantom...'}
      {step === 'asking' && 'Waiting for Phantom...'}
    </Button>
  )
}
