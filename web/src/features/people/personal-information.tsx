// The form of the profile: who the person is, and what they want to hear about.

import { codePoints } from '@redpack/contract'
import { bioMax } from '@redpack/contract/limits'
import { Bell, RotateCcw, Save, UserRound } from 'lucide-react'
import { type ComponentPropsWithRef, useEffect, useMemo, useRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Notice } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { FormSwitch, fieldOf } from '../../ui/form/form-fields.tsx'
import {
  type Choice,
  type ChoiceGroup,
  SelectField,
  withChosen,
} from '../../ui/form/select-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { useNotifications } from '../outbox/queries.ts'
import type { ProfileForm, ProfileFormReturn } from './use-profile-form.ts'

interface PersonalInformationProps {
  readonly formId: string
  readonly profileForm: ProfileForm
  /** What others see by the decision of staff; null for the own name. */
  readonly shownName: string | null
}

export function PersonalInformation({ formId, profileForm, shownName }: PersonalInformationProps) {
  const { form, save } = profileForm
  const { data } = useNotifications()
  return (
    <form id={formId} noValidate onSubmit={save} className="grid grid-cols-1 gap-6">
      <Card>
        <CardHeader title="Personal Information" icon={UserRound} />
        {shownName !== null && (
          <Notice tone="info" className="mb-4">
            Staff have decided that others see you as <strong>{shownName}</strong>. You can change
            your own name; it shows again once they allow it.
          </Notice>
        )}
        <PersonalFields form={form} />
      </Card>
      <Card>
        <CardHeader title="Notification Preferences" icon={Bell} />
        <div className="grid gap-4">
          <FormSwitch
            control={form.control}
            name="emailNews"
            label="Email notifications"
            hint={
              data?.isEmailSetUp === false
                ? 'Email is not set up here yet; your choice is saved'
                : 'News goes to the address that you have confirmed'
            }
          />
          <FormSwitch
            control={form.control}
            name="prizeNews"
            label="Prize notifications"
            hint="Notices when the status of a prize changes"
          />
          <FormSwitch
            control={form.control}
            name="rewardNews"
            label="Reward notifications"
            hint="Notices when you receive packs or RedCoin"
          />
        </div>
      </Card>
    </form>
  )
}

function PersonalFields({ form }: { readonly form: ProfileFormReturn }) {
  const { watch, setValue } = form
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      <TextField label="Display name" autoComplete="nickname" {...fieldOf(form, 'displayName')} />
      <Masked what="Email" isLasting isBlock className="self-end justify-self-start">
        <TextField label="Email" type="email" autoComplete="email" {...fieldOf(form, 'email')} />
      </Masked>
      <div className="sm:col-span-2">
        <BioField text={watch('bio')} {...fieldOf(form, 'bio')} />
      </div>
      <SelectField
        label="Country"
        placeholder={noCountry}
        autoComplete="off"
        choices={withChosen(countries, watch('country'))}
        {...fieldOf(form, 'country')}
      />
      <TimeZoneField
        zone={watch('timezone')}
        onChoose={(zone) => setValue('timezone', zone, { shouldDirty: true })}
        {...fieldOf(form, 'timezone')}
      />
    </div>
  )
}

/** One that the server holds beyond them stays choosable, so saving keeps it. */
export const countries: readonly Choice[] = [
  { value: 'US', label: 'United States (US)' },
  { value: 'CA', label: 'Canada (CA)' },
  { value: 'UK', label: 'United Kingdom (UK)' },
  { value: 'DE', label: 'Germany (DE)' },
  { value: 'FR', label: 'France (FR)' },
]

/** What the select shows when no country is chosen. */
const noCountry = 'None'

interface TimeZoneFieldProps extends Omit<ComponentPropsWithRef<'select'>, 'id' | 'children'> {
  readonly zone: string
  readonly error: string | undefined
  readonly onChoose: (zone: string) => void
}

function TimeZoneField({ zone, error, onChoose, ...rest }: TimeZoneFieldProps) {
  const choices = useMemo(() => timeZoneChoices(zone), [zone])
  const own = browserTimeZone()
  const time = zone === '' ? undefined : timeIn(zone, new Date())
  return (
    <div>
      <SelectField
        {...rest}
        label="Time zone"
        placeholder="None"
        choices={choices}
        error={error}
        hint={time && `Local time: ${time}`}
      />
      {own && own !== zone && (
        <Button
          tone="faint"
          size="compact"
          className="-ms-[0.8125rem] min-h-11 text-ink underline underline-offset-4"
          onClick={() => onChoose(own)}
        >
          Use this device's zone ({own.replaceAll('_', ' ')})
        </Button>
      )}
    </div>
  )
}

/** Lengths at which the room that is left is announced. */
const bioMarks = [450, 490, bioMax] as const

/**
 * The sentence for a bio that grew from one length to another; undefined when no mark was passed.
 */
export function bioAnnouncement(before: number, now: number): string | undefined {
  const isPassed = bioMarks.some((mark) => before < mark && now >= mark)
  if (!isPassed) return undefined
  if (now > bioMax) return `${now - bioMax} characters too many`
  return now === bioMax ? 'No characters left' : `${bioMax - now} characters left`
}

interface BioFieldProps extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'children'> {
  readonly text: string
  readonly error: string | undefined
}

function BioField({ text, error, ...rest }: BioFieldProps) {
  const count = codePoints(text.normalize('NFC'))
  const before = useRef(count)
  useEffect(() => {
    const sentence = bioAnnouncement(before.current, count)
    before.current = count
    if (sentence) announce(sentence)
  }, [count])
  return (
    <TextAreaField
      {...rest}
      label="Bio"
      rows={4}
      error={error}
      hint={
        <span className={count > bioMax ? 'text-danger tabular-nums' : 'tabular-nums'}>
          {count} of {bioMax} characters
        </span>
      }
    />
  )
}

const universalZones = ['UTC', 'GMT'] as const

/** Zones without a region are listed first, under this heading. */
const universalGroup = 'Universal'

function groupOf(zone: string): string {
  const [region = '', ...rest] = zone.split('/')
  return rest.length === 0 ? universalGroup : region
}

/** IANA zones by region, UTC and GMT first. `chosen` is offered even when it is on no list. */
export function timeZoneChoices(chosen = ''): ChoiceGroup[] {
  const zones = new Set<string>([...universalZones, ...Intl.supportedValuesOf('timeZone')])
  if (chosen !== '') zones.add(chosen)
  const groups = new Map<string, string[]>()
  for (const zone of zones) {
    const group = groupOf(zone)
    groups.set(group, [...(groups.get(group) ?? []), zone])
  }
  return [...groups].map(([label, members]) => ({
    label,
    choices: members.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  }))
}

/** The zone this browser is set to, if it says so. */
function browserTimeZone(): string | undefined {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || undefined
}

/**
 * Clock time and offset in a zone, for example '10:42 AM, GMT+1'; undefined for an unknown zone.
 */
export function timeIn(zone: string, now: Date): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat(undefined, {
      timeZone: zone,
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'shortOffset',
    }).formatToParts(now)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const time = parts
      .filter(({ type }) => type !== 'timeZoneName')
      .map(({ value }) => value)
      .join('')
    return `${time.trim()}, ${offset}`
  } catch {
    return undefined
  }
}

export function SaveBar({
  formId,
  profileForm,
}: Pick<PersonalInformationProps, 'formId' | 'profileForm'>) {
  const { isUnsaved, isRestored, isSaving, reset } = profileForm
  return (
    <div
      data-bar={isUnsaved ? 'unsaved' : undefined}
      className={cn(
        'card on-card z-10 flex flex-wrap items-center gap-x-6 gap-y-3 p-3 sm:px-6',
        isUnsaved && 'sticky bottom-3 bg-raised',
      )}
    >
      <div className="flex flex-wrap gap-3">
        <Button
          icon={Save}
          pendingLabel="Saving..."
          type="submit"
          form={formId}
          tone={isUnsaved ? 'primary' : 'secondary'}
          isPending={isSaving}
        >
          Save Changes
        </Button>
        <Button icon={RotateCcw} tone="secondary" onClick={reset} disabled={isSaving}>
          Reset
        </Button>
      </div>
      <p role="status" className="min-w-0 text-muted">
        {textOf(isUnsaved, isRestored)}
      </p>
    </div>
  )
}

function textOf(isUnsaved: boolean, isRestored: boolean): string {
  if (!isUnsaved) return 'All changes saved'
  return isRestored ? 'Your unsaved changes from before are back' : 'You have unsaved changes'
}
