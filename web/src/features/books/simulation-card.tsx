// A trial run: packs that nobody has are opened, to see what they would give.

import {
  adminEconomyContract,
  type SimulationResult,
  simulationOpeningsMax,
} from '@redpack/contract'
import { FlaskConical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { useCall } from '../../lib/use-call.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { noPackTypes, useAdminPackTypes } from '../catalogue/pack-type-queries.ts'
import { SimulationReport } from './simulation-report.tsx'

const openingsDefault = 10_000

export function SimulationCard() {
  const [packTypeId, setPackTypeId] = useState('')
  const [openings, setOpenings] = useState<number | null>(openingsDefault)
  const [issue, setIssue] = useState<string>()
  const { data: packTypes } = useAdminPackTypes()
  const simulation = useCall(adminEconomyContract.simulate)
  const isInRange = openings !== null && openings >= 1 && openings <= simulationOpeningsMax
  const run = (event: FormEvent) => {
    event.preventDefault()
    setIssue(packTypeId === '' ? 'Please select a pack type' : undefined)
    if (packTypeId === '' || !isInRange || simulation.isPending) return
    simulation.mutate(
      { body: { packTypeId: Number(packTypeId), openings: Math.trunc(openings) } },
      { onSuccess: sayDone },
    )
  }
  return (
    <Card>
      <CardHeader
        level={3}
        title="Simulation"
        description="Opens packs that nobody has, with the stock and the odds of now. Nothing is booked."
      />
      <form
        noValidate
        onSubmit={run}
        aria-label="Simulation"
        className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[1fr_1fr_auto]"
      >
        <SelectField
          label="Pack type"
          placeholder={packTypes?.length === 0 ? noPackTypes : 'Select a pack type'}
          choices={(packTypes ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={packTypeId}
          onChange={(event) => {
            setIssue(undefined)
            setPackTypeId(event.target.value)
          }}
          error={issue}
        />
        <NumberField
          label="Openings"
          unit="openings"
          min={1}
          max={simulationOpeningsMax}
          step={1000}
          value={openings}
          onChange={setOpenings}
          error={isInRange ? undefined : `Openings must be between 1 and ${simulationOpeningsMax}`}
        />
        <Button type="submit" isPending={simulation.isPending} className="sm:mt-7.5">
          {!simulation.isPending && <FlaskConical aria-hidden="true" />}
          {simulation.isPending ? 'Simulating...' : 'Simulate'}
        </Button>
      </form>
      {simulation.error && (
        <Notice tone="danger" role="alert" className="mt-4">
          {messageOf(simulation.error, 'The simulation failed.')}
        </Notice>
      )}
      {simulation.data && <SimulationReport result={simulation.data} />}
    </Card>
  )
}

function sayDone({ openings, packTypeName }: SimulationResult): void {
  announce(`${openings} openings of ${packTypeName} simulated`)
}
