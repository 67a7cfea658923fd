// The form of the profile: who the person is, and what they want to hear about.

import { Bell, UserRound } from 'lucide-react'
import { useController } from 'react-hook-form'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { BioField } from './bio-field.tsx'
import { countryChoices, noCountry } from './countries.ts'
import { TimeZoneField } from './time-zone-field.tsx'
import type { ProfileForm, ProfileFormReturn } from './use-profile-form.ts'

export interface PersonalInformationProps {
  readonly formId: string
  readonly profileForm: ProfileForm
}

export function PersonalInformation({ formId, profileForm }: PersonalInformationProps) {
  const { form, save } = profileForm
  return (
    <form id={formId} noValidate onSubmit={save} className="grid grid-cols-1 gap-6">
      <Card>
        <CardHeader title="Personal Information" icon={UserRound} />
        <PersonalFields form={form} />
      </Card>
      <Card>
        <CardHeader title="Notification Preferences" icon={Bell} />
        <div className="grid gap-4">
          <NotificationSwitch
            form={form}
            name="notifications.email"
            label="Email notifications"
            hint="Your choice for when news go out by e-mail; none do today"
          />
          <NotificationSwitch
            form={form}
            name="notifications.prizes"
            label="Prize notifications"
            hint="A notice when one of your prizes moves on"
          />
          <NotificationSwitch
            form={form}
            name="notifications.rewards"
            label="Reward notifications"
            hint="A notice when you are given packs or RedCoin"
          />
        </div>
      </Card>
    </form>
  )
}

function PersonalFields({ form }: { readonly form: ProfileFormReturn }) {
  const { register, watch, setValue, formState } = form
  const { errors } = formState
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      <TextField
        label="Display name"
        autoComplete="nickname"
        error={errors.displayName?.message}
        {...register('displayName')}
      />
      <Masked what="Email" isLasting isBlock className="self-end justify-self-start">
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
      </Masked>
      <div className="sm:col-span-2">
        <BioField text={watch('bio') ?? ''} error={errors.bio?.message} {...register('bio')} />
      </div>
      <SelectField
        label="Country"
        placeholder={noCountry}
        autoComplete="off"
        choices={countryChoices(watch('country') ?? '')}
        error={errors.country?.message}
        {...register('country')}
      />
      <TimeZoneField
        zone={watch('timezone') ?? ''}
        error={errors.timezone?.message}
        onChoose={(zone) => setValue('timezone', zone, { shouldDirty: true })}
        {...register('timezone')}
      />
    </div>
  )
}

interface NotificationSwitchProps {
  readonly form: ProfileFormReturn
  readonly name: `notifications.${'email' | 'prizes' | 'rewards'}`
  readonly label: string
  readonly hint: string
}

function NotificationSwitch({ form, name, label, hint }: NotificationSwitchProps) {
  const { field } = useController({ control: form.control, name })
  return (
    <SwitchField label={label} hint={hint} isOn={field.value === true} onChange={field.onChange} />
  )
}
