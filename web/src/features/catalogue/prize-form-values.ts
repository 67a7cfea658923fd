// The prize form: what it starts with, and what is sent for what was typed.

import {
  type AdminPrize,
  CreatePrizeRequest,
  plainText,
  textMax,
  type UpdatePrizeRequest,
} from '@redpack/contract'
import * as z from 'zod/mini'
import { imageSource } from '../../lib/image-source.ts'

/** The form as it is held while it is being filled in. Null is an emptied number. */
export interface PrizeDraft {
  readonly name: string
  readonly description: string
  readonly claimInstructions: string
  readonly winFrequency: number | null
  readonly totalPacks: number | null
  readonly redCoinAmount: number | null
  /** Id of the pack that comes with the prize; empty for no pack reward. */
  readonly packTypeId: string
  readonly packQuantity: number | null
  /** Besides the packs, something is sent. */
  readonly isAlsoSent: boolean
  readonly isUnlimited: boolean
  readonly inventoryQuantity: number | null
  readonly packTypeIds: readonly number[]
  /** A data URL, or empty for none. */
  readonly image: string
  readonly imageType: string
  readonly isActive: boolean
}

/** What an emptied number counts as. */
export const fallbacks = {
  winFrequency: 1,
  totalPacks: 1,
  redCoinAmount: 0,
  packQuantity: 0,
  inventoryQuantity: 0,
} as const

/** Numbers are whole: '3.7' gives 3, an emptied field its fallback. */
export function parseWhole(typed: number | null, fallback: number): number {
  return typed === null || Number.isNaN(typed) ? fallback : Math.trunc(typed)
}

export function newPrizeDraft(totalPacks: number): PrizeDraft {
  return {
    name: '',
    description: '',
    claimInstructions: '',
    winFrequency: 1,
    totalPacks,
    redCoinAmount: 0,
    packTypeId: '',
    packQuantity: 1,
    isAlsoSent: false,
    isUnlimited: true,
    inventoryQuantity: 0,
    packTypeIds: [],
    image: '',
    imageType: '',
    isActive: true,
  }
}

export function draftOf(prize: AdminPrize): PrizeDraft {
  return {
    name: prize.name,
    description: prize.description,
    claimInstructions: prize.claimInstructions,
    winFrequency: prize.winFrequency,
    totalPacks: prize.totalPacks,
    redCoinAmount: prize.redCoinAmount,
    packTypeId: prize.packTypeId === null ? '' : String(prize.packTypeId),
    // Waits for a pack to be chosen.
    packQuantity: prize.packTypeId === null ? 1 : prize.packQuantity,
    isAlsoSent: prize.isAlsoSent,
    isUnlimited: prize.inventoryQuantity === null,
    inventoryQuantity: prize.inventoryQuantity ?? 0,
    packTypeIds: prize.packTypeIds,
    image: imageSource(prize) ?? '',
    imageType: prize.imageType ?? '',
    isActive: prize.isActive,
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
export function countedIn({ packTypeId, isUnlimited }: PrizeDraft): Partial<PrizeDraft> {
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
  return {
    ...rest,
    packTypeIds: [...draft.packTypeIds],
    winFrequency: parseWhole(draft.winFrequency, fallbacks.winFrequency),
    totalPacks: parseWhole(draft.totalPacks, fallbacks.totalPacks),
    redCoinAmount: parseWhole(draft.redCoinAmount, fallbacks.redCoinAmount),
    packTypeId: hasPack ? Number(packTypeId) : null,
    packQuantity: hasPack ? parseWhole(draft.packQuantity, fallbacks.packQuantity) : 0,
    isAlsoSent: hasPack && draft.isAlsoSent,
    inventoryQuantity: isUnlimited
      ? null
      : parseWhole(draft.inventoryQuantity, fallbacks.inventoryQuantity),
    imageData: image === '' ? null : image,
    imageType: image === '' ? null : imageType,
  }
}

/** Turns a draft into the request, or says what is wrong with which field. */
export const PrizeForm = z.pipe(
  z.pipe(
    z.custom<PrizeDraft>(() => true),
    z.transform(requestOf),
  ),
  FormRules,
)
export type PrizeRequest = z.infer<typeof PrizeForm>

/**
 * What an edit sends: only what is different from the prize as the form last showed it, and what
 * that was. Stock that players have won meanwhile is not put back by a new description.
 */
export function changeOf(request: PrizeRequest, prize: AdminPrize): UpdatePrizeRequest {
  const before: PrizeRequest = { ...prize, imageData: imageSource(prize) ?? null }
  const isSame = (key: keyof PrizeRequest) =>
    key === 'packTypeIds'
      ? isSameSet(request.packTypeIds, before.packTypeIds)
      : request[key] === before[key]
  const isImageSame = isSame('imageData')
  const keys = (Object.keys(request) as (keyof PrizeRequest)[]).filter((key) =>
    key === 'imageType' ? !isImageSame : !isSame(key),
  )
  const expected = keys.filter((key) => key !== 'imageData' && key !== 'imageType')
  return {
    ...pick(request, keys),
    ...(expected.length > 0 && { expected: pick(before, expected) }),
  }
}

function pick(from: PrizeRequest, keys: readonly (keyof PrizeRequest)[]): Partial<PrizeRequest> {
  return Object.fromEntries(keys.map((key) => [key, from[key]]))
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id))
}
