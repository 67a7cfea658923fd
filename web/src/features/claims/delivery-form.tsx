// The form that says where a prize goes.

import type { DeliveryResponse } from '@redpack/contract'
import { LockKeyhole } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { useSaveDelivery } from './delivery-queries.ts'
import {
  addressHint,
  checkDelivery,
  type DeliveryErrors,
  type DeliveryField,
  type DeliveryValues,
  fieldOf,
  valuesOf,
} from './delivery-values.ts'

export interface DeliveryFormProps {
  readonly saved: DeliveryResponse
  /** What was typed before the dialog was closed, if anything. */
  readonly draft: DeliveryValues | null
  readonly onDraft: (values: DeliveryValues) => void
  readonly onSaved: () => void
}

export function DeliveryForm({ saved, draft, onDraft, onSaved }: DeliveryFormProps) {
  const { claimId, canChange } = saved
  const values = draft ?? valuesOf(saved.delivery)
  const [errors, setErrors] = useState<DeliveryErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveDelivery(claimId)

  const show = (found: DeliveryErrors) => {
    setErrors(found)
    const first = Object.keys(found)[0]
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = checkDelivery(values)
    if ('errors' in checked) return show(checked.errors)
    save.mutate(checked.request, {
      onSuccess: () => {
        toast({
          title: 'Delivery details saved',
          description: 'We use them for this prize and nothing else.',
        })
        onSaved()
      },
      onError: (error) => {
        show(fieldErrors(error))
        toast({
          title: 'Error',
          description: messageOf(error, 'The delivery details could not be saved'),
          variant: 'destructive',
        })
      },
    })
  }
  const field = (name: DeliveryField) => ({
    name,
    value: values[name],
    error: errors[name],
    disabled: !canChange,
    onChange: (event: { target: { value: string } }) => {
      setErrors((before) => ({ ...before, [name]: undefined }))
      onDraft({ ...values, [name]: event.target.value })
    },
  })
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      <TextField label="Name" autoComplete="name" {...field('name')} />
      <TextAreaField
        label="Address"
        hint={addressHint}
        autoComplete="street-address"
        rows={3}
        {...field('address')}
      />
      <div className="grid gap-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
        <TextField
          label="Postal code"
          hint="If there is one"
          autoComplete="postal-code"
          {...field('postalCode')}
        />
        <TextField label="City" autoComplete="address-level2" {...field('city')} />
      </div>
      <TextField label="Country" autoComplete="country-name" {...field('country')} />
      <TextField
        label="Phone"
        hint="Optional, for the carrier"
        type="tel"
        autoComplete="tel"
        {...field('phone')}
      />
      <TextAreaField
        label="Note"
        hint="Optional, for example your size"
        rows={2}
        {...field('note')}
      />
      <p className="flex gap-3 rounded-control border border-line bg-page p-3 text-sm text-muted">
        <LockKeyhole aria-hidden="true" className="mt-0.5 size-5 flex-none" />
        <span>
          Kept encrypted. Only you and the staff who send prizes can read it. It is erased 90 days
          after your claim is completed, and at once when you delete your account.
        </span>
      </p>
      {canChange ? (
        <Button type="submit" isPending={save.isPending} className="justify-self-start">
          {save.isPending ? 'Saving...' : 'Save delivery details'}
        </Button>
      ) : (
        <p className="text-muted">This claim is completed, so its details stay as they are.</p>
      )}
    </form>
  )
}

/** The server's sentences about single fields. */
function fieldErrors(error: unknown): DeliveryErrors {
  if (!(error instanceof ApiError)) return {}
  const errors: Partial<Record<DeliveryField, string>> = {}
  for (const [path, message] of Object.entries(error.fields)) {
    const field = fieldOf(path)
    if (field !== undefined) errors[field] ??= message
  }
  return errors
}
