// Prizes as staff manage them (W-028 to W-033).

import * as z from 'zod/mini'
import { ActionAnswer, NamedRow, Timestamp } from './answers.ts'
import {
  Countries,
  CountriesInput,
  DeliveryQuestion,
  EstimatedValue,
  EstimatedValueInput,
  QuestionsInput,
} from './delivery-terms.ts'
import { endpoint } from './endpoint.ts'
import {
  bodyBytesMax,
  codesAtOnceMax,
  deadlineDaysMax,
  imageTypeMax,
  nameMax,
  stockMax,
  textMax,
} from './limits.ts'
import {
  blankableText,
  clearableText,
  countNumber,
  editObject,
  entered,
  flag,
  idNumber,
  listOf,
  nameText,
  redCoinNumber,
  requestObject,
  shapeOf,
  someOf,
  startOf,
  wholeNumber,
} from './values.ts'

const packTypeRequired = 'Select at least one pack type'
const stockMin = 'Inventory quantity must be 0 or greater'
const deadlineWrong = `Deadline must be 1 to ${deadlineDaysMax} days`
const packTypesMax = 1_000

/** An image as a data URL or bare base64; null or a blank text removes it. */
export const ImageText = z.nullable(
  z.pipe(
    z.string({ error: 'Image must be a text' }).check(
      z.trim(),
      z.maxLength(bodyBytesMax.picture, { error: 'Image is too large' }),
      z.refine((text) => !text.includes('\0'), { error: 'Image is not valid' }),
    ),
    z.transform((text) => (text === '' ? null : text)),
  ),
)

export const ImageType = clearableText({ label: 'Image type', max: imageTypeMax })

const PackTypeIds = z.pipe(
  someOf(idNumber(packTypeRequired), packTypeRequired, packTypesMax, 'Too many pack types'),
  z.transform((ids) => [...new Set(ids)].sort((a, b) => a - b)),
)

function stockNumber(message: string, min: number) {
  return wholeNumber({ message, min, max: stockMax, tooLarge: 'Quantity is too large' })
}

/** Each field that staff enter, once: requests, answers, rows and the form follow from here. */
const fields = {
  name: entered(
    z.string(),
    nameText({ label: 'Prize name', max: nameMax, required: 'Prize name is required' }),
  ),
  description: entered(z.string(), blankableText({ label: 'Description', max: textMax }), ''),
  claimInstructions: entered(
    z.string(),
    blankableText({ label: 'Claim instructions', max: textMax }),
    '',
  ),
  redCoinAmount: entered(z.int(), redCoinNumber('RedCoin amount must be 0 or greater', 0), 0),
  packTypeId: entered(z.nullable(z.int()), z.nullable(idNumber('Invalid pack type')), null),
  packQuantity: entered(z.int(), countNumber('Pack quantity must be 0 or greater', 0), 0),
  /** Something is sent besides the packs: its claims wait for staff. */
  isAlsoSent: entered(z.boolean(), flag('Also sent must be true or false'), false),
  winFrequency: entered(
    z.int(),
    countNumber('Win frequency must be at least 1', 1, 'Win frequency is too large'),
    1,
  ),
  totalPacks: entered(
    z.int(),
    countNumber('Total packs must be at least 1', 1, 'Total packs is too large'),
    100,
  ),
  /** Null means unlimited. */
  inventoryQuantity: entered(z.nullable(z.int()), z.nullable(stockNumber(stockMin, 0)), null),
  /** Days after the win for the winner to give an address; null for no limit. */
  deadlineDays: entered(
    z.nullable(z.int()),
    z.nullable(wholeNumber({ message: deadlineWrong, min: 1, max: deadlineDaysMax })),
    null,
  ),
  /** Countries that it is sent to, as ISO 3166 alpha-2; empty for all. */
  countries: entered(Countries, CountriesInput, []),
  /** For the winner's papers; null if unknown. */
  estimatedValue: entered(z.nullable(EstimatedValue), EstimatedValueInput, null),
  /** What the winner is asked with the address. */
  questions: entered(z.array(DeliveryQuestion), QuestionsInput, []),
  /** The member of staff who ships it. */
  handlerId: entered(z.nullable(z.int()), z.nullable(idNumber('Invalid handler')), null),
  /** Each win gets a code: the stock is the number of unused codes. */
  deliversCodes: entered(z.boolean(), flag('Delivers codes must be true or false'), false),
  packTypeIds: entered(z.array(z.int()), PackTypeIds),
  imageData: entered(z.nullable(z.string()), ImageText, null),
  imageType: entered(z.nullable(z.string()), ImageType, null),
  isActive: entered(z.boolean(), flag('Active must be true or false'), true),
}
const sent = shapeOf(fields, 'sent')

/** What a new prize starts with where nothing is said. */
export const newPrize = startOf(sent)

export const AdminPrize = z.object({
  id: z.int(),
  ...shapeOf(fields, 'answer'),
  /** Replaces `imageData` when a list would carry too many pictures. Always sent. */
  imageUrl: z.optional(z.nullable(z.string())),
  createdAt: Timestamp,
  packTypes: z.array(NamedRow),
})
export type AdminPrize = z.infer<typeof AdminPrize>

/** Only the name and one pack type are required. */
export const CreatePrizeRequest = requestObject(sent)
export type CreatePrizeRequest = z.infer<typeof CreatePrizeRequest>

/** Any subset; absent keys keep their value, present ones follow the same rules. */
export const UpdatePrizeRequest = editObject(sent)

export const AddInventoryRequest = requestObject({
  quantity: stockNumber('Quantity must be at least 1', 1),
})

const setQuantity = z.optional(z.nullable(stockNumber('Quantity must be 0 or more', 0)))

/**
 * Sets the stock: `quantity` or `inventoryQuantity` with a number or null, or `unlimited: true`.
 * The parsed body has `quantity`, null for unlimited, and the value that the sender saw.
 */
export const SetInventoryRequest = z.pipe(
  requestObject({
    quantity: setQuantity,
    expected: z.optional(requestObject({ quantity: setQuantity })),
    inventoryQuantity: setQuantity,
    unlimited: z.optional(flag('Unlimited must be true or false')),
  }).check(
    z.refine(
      (body) =>
        body.quantity !== undefined ||
        body.inventoryQuantity !== undefined ||
        body.unlimited === true,
      { error: 'Quantity must be 0 or more', path: ['quantity'] },
    ),
  ),
  z.transform((body) => ({
    quantity:
      body.unlimited === true
        ? null
        : body.quantity !== undefined
          ? body.quantity
          : (body.inventoryQuantity ?? null),
    expected: body.expected,
  })),
)

const codesWrong = 'Codes must be a list of texts'
const Code = z.string({ error: codesWrong }).check(z.maxLength(500, 'A code is too long'))

/** The codes as a list, or as a file with one per line. */
export const AddCodesRequest = requestObject({
  codes: z.optional(
    listOf(Code, codesWrong, codesAtOnceMax, `At most ${codesAtOnceMax} codes at once`),
  ),
})

export const codeVerdicts = ['added', 'empty', 'twice', 'known', 'too_long'] as const

export const AddCodesResponse = z.object({
  added: z.int(),
  verdicts: z.array(
    z.object({
      /** From 1. */
      line: z.int(),
      /** `twice`: earlier in the same file; `known`: already in the product. */
      verdict: z.enum(codeVerdicts),
    }),
  ),
})
export type AddCodesResponse = z.infer<typeof AddCodesResponse>

export const adminPrizesContract = {
  list: endpoint('staff', 'GET', '/api/admin/prizes', {
    summary: 'Lists every prize.',
    response: z.array(AdminPrize),
  }),
  create: endpoint('staff', 'POST', '/api/admin/prizes', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings'],
    summary: 'Creates a prize.',
    bodyLimit: 'picture',
    body: CreatePrizeRequest,
    response: AdminPrize,
    domainErrors: ['not_found'],
    idempotent: true,
  }),
  update: endpoint('staff', 'PUT', '/api/admin/prizes/{id}', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings'],
    summary: 'Changes the given fields of a prize.',
    bodyLimit: 'picture',
    body: UpdatePrizeRequest,
    response: AdminPrize,
    domainErrors: ['not_found', 'changed_meanwhile', 'wrong_state'],
    idempotent: true,
  }),
  remove: endpoint('staff', 'DELETE', '/api/admin/prizes/{id}', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings'],
    summary: 'Deletes a prize; it can be restored.',
    response: ActionAnswer,
  }),
  restore: endpoint('staff', 'POST', '/api/admin/prizes/{id}/restore', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings', 'audit'],
    summary: 'Restores a deleted prize as it was, with its pack types that still exist.',
    response: AdminPrize,
    domainErrors: ['not_found', 'wrong_state'],
  }),
  addInventory: endpoint('staff', 'POST', '/api/admin/prizes/{id}/add-inventory', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings'],
    summary: 'Adds to the stock of a limited prize.',
    body: AddInventoryRequest,
    response: AdminPrize,
    domainErrors: ['not_found', 'unlimited_stock', 'wrong_state'],
    idempotent: true,
  }),
  setInventory: endpoint('staff', 'POST', '/api/admin/prizes/{id}/set-inventory', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings'],
    summary: 'Sets the stock of a prize; null makes it unlimited.',
    body: SetInventoryRequest,
    response: AdminPrize,
    domainErrors: ['not_found', 'changed_meanwhile', 'wrong_state'],
    idempotent: true,
  }),
  addCodes: endpoint('staff', 'POST', '/api/admin/prizes/{id}/codes', {
    changes: ['catalogue', 'overview', 'pack_types', 'listings'],
    summary: 'Adds codes, one per line, to a prize that delivers them, with a verdict for each.',
    bodyKind: 'json-or-multipart',
    bodyLimit: 'file',
    file: { field: 'file', isRequired: false },
    body: AddCodesRequest,
    response: AddCodesResponse,
    domainErrors: ['not_found', 'wrong_state'],
    rate: 'upload',
    idempotent: true,
  }),
}
