// The dialog that verifies a draw when its code does not arrive.

import { authContract, fairnessContract } from '@redpack/contract'
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answers, mockServer } from '../../../test/mock-server.ts'
import { renderPart } from '../../../test/render.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { VerifyDialog } from './openings-list.tsx'

const arrival = vi.hoisted(() => ({ isLost: true }))
vi.mock('./verification-report.tsx', () => {
  if (arrival.isLost) throw new Error('No network')
  return { VerificationReport: () => <p>Computed here</p> }
})

mockServer(
  answers(authContract.me, sampleUser()),
  answers(fairnessContract.proof, { opening: { id: 4 } } as never),
)

it('says so, and checks after another try', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const { user } = await renderPart(<VerifyDialog opening={{ id: 4 }} onClose={() => {}} />)
  expect(await screen.findByText('Error loading the check')).toBeTruthy()
  arrival.isLost = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Computed here')).toBeTruthy()
})
