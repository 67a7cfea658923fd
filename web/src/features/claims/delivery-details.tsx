// The way from a claim to its delivery details: a button, and the dialog it opens.

import {
  addressLinesMax,
  answerIssue,
  type Claim,
  countryCodeOf,
  countryCodes,
  countryName,
  countryNames,
  type Delivery,
  type DeliveryResponse,
  deliveryContract,
  notServed,
  SaveDeliveryRequest,
} from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { LockKeyhole, MapPin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../lib/api-error.ts'
import { keepInTab, keptInTab } from '../../lib/browser-switch.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastError } from '../../ui/feedback/outcome.ts'
import { DataState } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Button } from '../../ui/form/button.tsx'
import { SelectField, withChosen } from '../../ui/form/select-field.tsx'
import { Form, TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

/** Whether delivery details are stored, as the timeline of the claim tells. */
export function hasDelivery({ timeline }: Pick<Claim, 'timeline'>): boolean {
  const last = timeline?.findLast(({ kind }) => kind.startsWith('delivery_'))
  return last?.kind === 'delivery_saved'
}

/**
 * Nothing for a prize that was paid in RedCoin, and nothing for a completed claim without details.
 */
export function DeliveryDetails({ claim }: { readonly claim: Claim }) {
  const [isOpen, setOpen] = useState(false)
  const draftName = `redpack:delivery-draft:${claim.claimId}`
  const [draft, setDraft] = useState(() => draftOf(keptInTab(draftName)))
  const isSaved = hasDelivery(claim)
  const isCompleted = claim.status === 'completed'
  if (claim.prize.redCoinAmount > 0 || (isCompleted && !isSaved)) return null
  // Outlives a session that ends in the middle, and whatever else takes the screen away.
  const noteDraft = (values: DeliveryValues | null) => {
    setDraft(values)
    keepInTab(draftName, values ? JSON.stringify(values) : undefined)
  }
  const close = () => {
    setOpen(false)
    noteDraft(null)
  }
  return (
    <>
      <Button
        icon={MapPin}
        tone={isSaved ? 'secondary' : 'primary'}
        onClick={() => setOpen(true)}
        className="self-start"
      >
        {isSaved ? 'Delivery details' : 'Add delivery details'}
        <span className="sr-only"> for {claim.prize.name}</span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Delivery details"
        description={`Where we ${isCompleted ? 'sent' : 'send'} your ${claim.prize.name}`}
      >
        <Masked what="Delivery details" isLasting isBlock>
          <SavedDelivery
            claimId={claim.claimId}
            draft={draft}
            onDraft={noteDraft}
            onSaved={close}
          />
        </Masked>
      </Dialog>
    </>
  )
}

interface SavedDeliveryProps extends Omit<DeliveryFormProps, 'saved'> {
  readonly claimId: string
}

function SavedDelivery({ claimId, ...form }: SavedDeliveryProps) {
  const delivery = useQuery({
    ...deliveryQuery(claimId),
    // An address does not stay in the page longer than it is needed.
    gcTime: 0,
  })
  return (
    <DataState
      query={delivery}
      what="the delivery details"
      title="The delivery details could not be loaded"
      skeleton={['h-11', 'h-24', 'h-11', 'h-11']}
      className="grid gap-4"
      isBrief
    >
      {(saved) =>
        saved.canChange ? (
          <DeliveryForm saved={saved} {...form} />
        ) : (
          saved.delivery && <SentTo delivery={saved.delivery} />
        )
      }
    </DataState>
  )
}

/** A completed claim's details stay as they are. */
function SentTo({ delivery }: { readonly delivery: Delivery }) {
  const { name, addressLines, postalCode, city, country, phone, note, answers = [] } = delivery
  const place = [...addressLines, [postalCode, city].filter(Boolean).join(' '), country]
  const others = [phone, note, ...answers.map((each) => `${each.question}: ${each.answer}`)].filter(
    Boolean,
  )
  return (
    <div className="grid gap-3 whitespace-pre-line break-words">
      <address className="grid not-italic">
        <strong>{name}</strong>
        {place.join('\n')}
      </address>
      {others.length > 0 && <p className="text-muted">{others.join('\n')}</p>}
    </div>
  )
}

interface DeliveryFormProps {
  readonly saved: DeliveryResponse
  /** What was typed before the dialog was closed, if anything. */
  readonly draft: DeliveryValues | null
  readonly onDraft: (values: DeliveryValues) => void
  readonly onSaved: () => void
}

function DeliveryForm({ saved, draft, onDraft, onSaved }: DeliveryFormProps) {
  const { claimId } = saved
  const values = draft ?? valuesOf(saved)
  const [errors, setErrors] = useState<DeliveryErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const save = useCall(deliveryContract.save, deliveryQuery(claimId).queryKey)
  useEffect(() => {
    // It comes after its dialog, which has the focus by then.
    form.current?.querySelector('input')?.focus()
  }, [])

  const show = (found: DeliveryErrors) => {
    setErrors(found)
    const first = Object.keys(found)[0]
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const submit = () => {
    const checked = checkDelivery(values, saved)
    if ('errors' in checked) return show(checked.errors)
    save.mutate(
      { params: { claimId }, body: checked.request },
      {
        onSuccess: () => {
          toast({
            title: 'Delivery details saved',
            description: 'We only use them to send this prize.',
          })
          onSaved()
        },
        onError: (error) => {
          show(fieldErrors(error))
          toastError(error, 'The delivery details could not be saved')
        },
      },
    )
  }
  const field = (name: DeliveryField) => ({
    name,
    value: values[name] ?? '',
    error: errors[name],
    onChange: (event: { target: { value: string } }) => {
      setErrors((before) => ({ ...before, [name]: undefined }))
      onDraft({ ...values, [name]: event.target.value })
    },
  })
  return (
    <Form ref={form} noValidate onSubmit={submit} className="grid gap-4">
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
          hint="If you have one"
          autoComplete="postal-code"
          {...field('postalCode')}
        />
        <TextField label="City" autoComplete="address-level2" {...field('city')} />
      </div>
      <SelectField
        label="Country"
        hint={
          saved.countries.length > 0 ? `Only sent to ${countryNames(saved.countries)}` : undefined
        }
        placeholder="Choose a country"
        autoComplete="country"
        choices={countryChoices(saved.countries, values.country)}
        {...field('country')}
      />
      {saved.questions.map(({ kind, label, choices = [] }, index) =>
        kind === 'choice' ? (
          <SelectField
            key={label}
            label={label}
            placeholder="Choose one"
            choices={choices.map((value) => ({ value, label: value }))}
            {...field(`answers.${index}`)}
          />
        ) : (
          <TextField key={label} label={label} {...field(`answers.${index}`)} />
        ),
      )}
      <TextField
        label="Phone"
        hint="Optional, for the courier"
        type="tel"
        autoComplete="tel"
        {...field('phone')}
      />
      <TextAreaField label="Note" hint="Optional, for our staff" rows={2} {...field('note')} />
      <p className="flex gap-3 rounded-control border border-line bg-page p-3 text-sm text-muted">
        <LockKeyhole className="mt-0.5 size-5 flex-none" />
        <span>
          Encrypted. Only you and the staff who send prizes can read it. Erased 90 days after your
          claim is completed, or at once if you delete your account.
        </span>
      </p>
      <Button
        pendingLabel="Saving..."
        type="submit"
        isPending={save.isPending}
        className="justify-self-start"
      >
        Save delivery details
      </Button>
    </Form>
  )
}

/** The server's sentences about single fields. */
function fieldErrors(error: unknown): DeliveryErrors {
  return error instanceof ApiError ? errorsOf(Object.entries(error.fields)) : {}
}

/** The first sentence for each field, from those for paths of the request. */
function errorsOf(sentences: readonly (readonly [path: string, message: string])[]) {
  const errors: Partial<Record<DeliveryField, string>> = {}
  for (const [path, message] of sentences) {
    const field = fieldOf(path)
    if (field !== undefined) errors[field] ??= message
  }
  return errors
}

/** What the form holds; the address is one text with a line for each of its lines. */
const noValues = {
  name: '',
  address: '',
  city: '',
  postalCode: '',
  country: '',
  phone: '',
  note: '',
}
/** Answers stand by their place, as they do in the request. */
type AnswerField = `answers.${number}`
type DeliveryValues = Readonly<typeof noValues & { [place in AnswerField]?: string }>
type DeliveryField = keyof DeliveryValues

/** What was typed before, if it is that. */
function draftOf(kept: unknown): DeliveryValues | null {
  const values = { ...noValues, ...(kept as Partial<DeliveryValues> | undefined) }
  return kept && Object.values(values).every((value) => typeof value === 'string') ? values : null
}

function valuesOf({ delivery, questions }: DeliveryResponse): DeliveryValues {
  if (delivery === null) return noValues
  const { addressLines, postalCode, phone, note, answers = [], country, ...rest } = delivery
  const answered = questions.map(({ label }, index) => [
    `answers.${index}`,
    answers.find(({ question }) => question === label)?.answer ?? '',
  ])
  return {
    ...rest,
    ...Object.fromEntries(answered),
    country: countryCodeOf(country) ?? country,
    address: addressLines.join('\n'),
    postalCode: postalCode ?? '',
    phone: phone ?? '',
    note: note ?? '',
  }
}

type DeliveryInput = z.input<typeof SaveDeliveryRequest>

/** The countries served; what was saved before and is none of them stays to be seen. */
function countryChoices(served: readonly string[], chosen: string) {
  const offered = served.length > 0 ? served : countryCodes
  const choices = offered
    .map((value) => ({ value, label: countryName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return withChosen(choices, chosen, countryName(chosen))
}

function requestOf(
  { address, ...values }: DeliveryValues,
  questions: DeliveryResponse['questions'],
): DeliveryInput {
  const { name, city, postalCode, country, phone, note } = values
  const answers = questions.map((_, index) => values[`answers.${index}`] ?? '')
  const addressLines = address
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return { name, city, postalCode, country, phone, note, answers, addressLines }
}

type DeliveryErrors = Readonly<Partial<Record<DeliveryField, string>>>

/** What is sent, or the sentences about what is wrong: the server's own rules say both. */
function checkDelivery(
  values: DeliveryValues,
  { countries, questions }: DeliveryResponse,
): { readonly request: DeliveryInput } | { readonly errors: DeliveryErrors } {
  const request = requestOf(values, questions)
  const { error } = SaveDeliveryRequest.safeParse(request)
  const issues = (error?.issues ?? []).map(
    ({ path, message }) => [path.join('.'), message] as const,
  )
  const isServed = countries.length === 0 || countries.includes(values.country)
  if (values.country !== '' && !isServed) issues.push(['country', notServed(countries)])
  for (const [index, question] of questions.entries()) {
    const issue = answerIssue(question, request.answers?.[index])
    if (issue !== undefined) issues.push([`answers.${index}`, issue])
  }
  return issues.length === 0 ? { request } : { errors: errorsOf(issues) }
}

/** The field of the form that a path of the request is about. */
function fieldOf(path: string): DeliveryField | undefined {
  if (path.startsWith('answers.')) return path as AnswerField
  const [first] = path.split('.')
  if (first === 'addressLines') return 'address'
  return Object.keys(noValues).find((field): field is DeliveryField => field === first)
}

const addressHint = `Street and house, up to ${addressLinesMax} lines`

const deliveryQuery = (claimId: string) =>
  endpointQuery(deliveryContract.read, { shows: [], options: { params: { claimId } } })
