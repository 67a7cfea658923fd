// The prize form: what it starts with, what is sent for what was typed, and what saving does.

import {
  type AdminPrize,
  adminPrizesContract,
  CreatePrizeRequest,
  newPrize,
  plainText,
  type QuestionsInput,
  textMax,
} from '@redpack/contract'
import { questionsMax } from '@redpack/contract/limits'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { imageSource } from '../../lib/image-source.ts'
import { useCall } from '../../lib/use-call.ts'
import { fillEmptied } from '../../ui/form/form-fields.tsx'
import { draftRules } from '../../ui/form/kept-draft.ts'
import { editOf, parseWhole, useRecordForm } from '../../ui/form/record-form.ts'

/** What an emptied number counts as. */
export const fallbacks = {
  winFrequency: 1,
  totalPacks: 1,
  redCoinAmount: 0,
  packQuantity: 0,
  inventoryQuantity: 0,
} as const

/** What staff type as it is stored. */
type Typed = Omit<
  AdminPrize,
  Stored | 'imageUrl' | 'imageData' | 'packTypeId' | keyof DeliveryDraft
>

/** What is typed about sending the prize. */
interface DeliveryDraft {
  /** Empty for an unknown value. */
  readonly estimatedValue: { readonly amount: string; readonly currency: string }
  /** Always as many as there may be; choices stand with commas between them. */
  readonly questions: readonly { readonly label: string; readonly choices: string }[]
  /** Id of a member of staff; empty for nobody. */
  readonly handlerId: string
}

/** The form while it is being filled in. Null is an emptied number. */
export type PrizeDraft = {
  readonly [K in keyof Typed]: Typed[K] extends number | null
    ? number | null
    : NonNullable<Typed[K]>
} & DeliveryDraft & {
    /** Id of the pack that comes with the prize; empty for no pack reward. */
    readonly packTypeId: string
    readonly isUnlimited: boolean
    /** A data URL or an address, or empty for none. */
    readonly image: string
  }

export function newPrizeDraft(totalPacks: number): PrizeDraft {
  return draftOf({ ...newPrize, name: '', packTypeIds: [], totalPacks })
}

const noQuestion = { label: '', choices: '' }

function deliveryDraftOf({
  estimatedValue,
  questions,
  handlerId,
}: Pick<AdminPrize, keyof DeliveryDraft>): DeliveryDraft {
  const asked = questions.map(({ label, choices = [] }) => ({ label, choices: choices.join(', ') }))
  return {
    estimatedValue: {
      amount: estimatedValue === null ? '' : String(estimatedValue.amount),
      currency: estimatedValue?.currency ?? 'EUR',
    },
    questions: Array.from({ length: questionsMax }, (_, index) => asked[index] ?? noQuestion),
    handlerId: handlerId === null ? '' : String(handlerId),
  }
}

/** What is sent for it: a question with choices asks for one of them. */
function deliveryOf({ estimatedValue, questions, handlerId }: DeliveryDraft) {
  const { amount, currency } = estimatedValue
  // No number, and refused: 2,500 would be read as 2.50.
  const typed = /[.,]\d{3}/.test(amount) ? Number.NaN : Number(amount.replace(',', '.'))
  return {
    estimatedValue: amount.trim() === '' ? null : { amount: typed, currency },
    questions: questions.flatMap(({ label, choices }): z.input<typeof QuestionsInput> => {
      if (label.trim() === '' && choices.trim() === '') return []
      const offered = choices
        .split(',')
        .map((choice) => choice.trim())
        .filter((choice) => choice !== '')
      if (offered.length === 0) return [{ kind: 'text', label }]
      return [{ kind: 'choice', label, choices: offered }]
    }),
    handlerId: handlerId === '' ? null : Number(handlerId),
  }
}

/** What a prize has once it is stored. */
type Stored = 'id' | 'createdAt' | 'packTypes'

export function draftOf(
  prize: Omit<AdminPrize, Stored> & Partial<Pick<AdminPrize, Stored>>,
): PrizeDraft {
  const { id, createdAt, packTypes, imageUrl, imageData, packTypeId, ...typed } = prize
  return {
    ...typed,
    ...deliveryDraftOf(prize),
    packTypeId: packTypeId === null ? '' : String(packTypeId),
    // Waits for a pack to be chosen.
    packQuantity: packTypeId === null ? 1 : typed.packQuantity,
    isUnlimited: typed.inventoryQuantity === null,
    inventoryQuantity: typed.inventoryQuantity ?? 0,
    image: imageSource(prize) ?? '',
    imageType: typed.imageType ?? '',
  }
}

/** The server's rules, and what only the form asks for. */
const FormRules = z.extend(CreatePrizeRequest, {
  description: plainText({
    label: 'Description',
    max: textMax,
    required: 'Description is required',
  }),
})

/** What the emptied numbers that the form shows count as. */
function countedIn({ packTypeId, isUnlimited }: PrizeDraft): Partial<PrizeDraft> {
  const { packQuantity, inventoryQuantity, ...always } = fallbacks
  return {
    ...always,
    ...(packTypeId !== '' && { packQuantity }),
    ...(!isUnlimited && { inventoryQuantity }),
  }
}

/** The request that a draft stands for, before its rules are checked. */
export function requestOf(draft: PrizeDraft): z.input<typeof FormRules> {
  const { image, imageType, isUnlimited, packTypeId, ...rest } = draft
  const hasPack = packTypeId !== ''
  const whole = (name: keyof typeof fallbacks) => parseWhole(draft[name], fallbacks[name])
  return {
    ...rest,
    ...deliveryOf(draft),
    countries: [...draft.countries],
    winFrequency: whole('winFrequency'),
    totalPacks: whole('totalPacks'),
    redCoinAmount: whole('redCoinAmount'),
    packTypeId: hasPack ? Number(packTypeId) : null,
    packQuantity: hasPack ? whole('packQuantity') : 0,
    isAlsoSent: hasPack && draft.isAlsoSent,
    inventoryQuantity: isUnlimited ? null : whole('inventoryQuantity'),
    imageData: image === '' ? null : image,
    imageType: image === '' ? null : imageType,
  }
}

export const PrizeForm = draftRules(requestOf, FormRules)
export type PrizeRequest = z.infer<typeof PrizeForm>

/**
 * What an edit sends; the picture with its type only when it is another. Stock that players have
 * won meanwhile is not put back by a new description.
 */
export function changeOf({ imageType, ...request }: PrizeRequest, prize: AdminPrize) {
  const { packTypeId, packQuantity, isAlsoSent } = request
  const shown = {
    ...prize,
    imageData: imageSource(prize) ?? null,
    // Without a pack, now as before, these two stand in no field.
    ...(packTypeId === null && prize.packTypeId === null && { packQuantity, isAlsoSent }),
  }
  const change = editOf(request, shown, ['imageData'])
  return 'imageData' in change ? { ...change, imageType } : change
}

export type PrizeFormReturn = ReturnType<typeof usePrizeForm>['form']

/** Edits `prize`, or creates one when it is absent; `onDone` is called once it is saved. */
export function usePrizeForm(
  prize: AdminPrize | undefined,
  isGone: boolean,
  defaultTotalPacks: number,
  onDone: () => void,
) {
  const { mutateAsync: create } = useCall(adminPrizesContract.create)
  const { mutateAsync: update } = useCall(adminPrizesContract.update)
  const stored = useMemo(
    () => (prize ? draftOf(prize) : newPrizeDraft(defaultTotalPacks)),
    [prize, defaultTotalPacks],
  )
  return useRecordForm<PrizeDraft, PrizeRequest>({
    ...{ thing: 'prize', id: prize?.id ?? 'new', stored, rules: PrizeForm, isGone, onDone },
    // The stock of codes is their number: what was typed before stands in no field then.
    create: (body) =>
      create({ body: body.deliversCodes ? { ...body, inventoryQuantity: null } : body }),
    edit: prize && {
      changeOf: (request) => changeOf(request, prize),
      send: (body) => update({ params: { id: prize.id }, body }),
    },
    isHeldBack: (form) => fillEmptied(form, countedIn),
  })
}
