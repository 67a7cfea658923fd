// The colour and the icon of a pack type in its form.

import { packColorOf, packThemes } from '@redpack/contract'
import { useController } from 'react-hook-form'
import { ColorField } from '../../ui/form/color-field.tsx'
import { useEmptied } from '../../ui/form/form-fields.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PackIcon } from '../packs/shared/pack-icon.tsx'
import { countedInPackType, type PackTypeFormReturn, packIcons } from './pack-type-form.ts'

interface PackTypeLookProps {
  readonly form: PackTypeFormReturn
}

/** The hex that a typed colour stands for; the two themes that stay names have one as well. */
function hexOf(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  const color = packColorOf(typed)
  return color === undefined ? undefined : (packThemes[color] ?? color)
}

export function PackTypeLook({ form }: PackTypeLookProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'color' })
  const empty = useEmptied(field.value, countedInPackType.color)
  return (
    <>
      <ColorField
        label="Color"
        name={field.name}
        value={empty.shown}
        onChange={field.onChange}
        onFocus={empty.onFocus}
        onBlur={() => {
          empty.onLeave()
          field.onBlur()
        }}
        inputRef={field.ref}
        hexOf={hexOf}
        hint={empty.hint ?? 'A name such as purple or teal, or hex such as #0080FF.'}
        error={fieldState.error?.message}
      />
      <IconFields form={form} />
    </>
  )
}

const otherIcon = 'other'
const iconLabels: Readonly<Record<string, string>> = {
  package: 'Package',
  gift: 'Gift',
  box: 'Box',
  dice: 'Dice',
}

/** A select of four, and a field for an emoji or another name. */
function IconFields({ form }: PackTypeLookProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'icon' })
  const empty = useEmptied(field.value, countedInPackType.icon)
  const isListed = packIcons.some((icon) => icon === field.value)
  return (
    <div className="flex items-start gap-4">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-4 sm:grid-cols-2">
        <SelectField
          label="Icon"
          choices={[
            ...packIcons.map((icon) => ({ value: icon, label: iconLabels[icon] ?? icon })),
            { value: otherIcon, label: 'Emoji or other', isDisabled: isListed },
          ]}
          value={isListed ? field.value : otherIcon}
          onChange={(event) => field.onChange(event.target.value)}
        />
        <TextField
          ref={field.ref}
          label="Emoji or icon name"
          name={field.name}
          value={empty.shown}
          hint={empty.hint}
          onChange={(event) => field.onChange(event.target.value)}
          onFocus={empty.onFocus}
          onBlur={() => {
            empty.onLeave()
            field.onBlur()
          }}
          autoComplete="off"
          error={fieldState.error?.message}
        />
      </div>
      <span className="mt-7.5 grid size-11 flex-none place-items-center rounded-control border border-line bg-raised">
        <PackIcon name={field.value} className="text-[1.75rem]" />
      </span>
    </div>
  )
}
