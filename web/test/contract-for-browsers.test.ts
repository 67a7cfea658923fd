// What of the contract reaches the browser says the same as the contract.

import { join } from 'node:path'
import { allEndpoints } from '@redpack/contract'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { contractForBrowsers } from '../contract-for-browsers.ts'

const door = join(import.meta.dirname, '../../contract/src/all-endpoints.ts')

interface Called {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly changes?: readonly string[]
  readonly changesWhen?: string
}

async function bundled(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [contractForBrowsers()],
    build: {
      write: false,
      minify: false,
      lib: { entry: door, formats: ['es'] },
      rolldownOptions: { treeshake: { moduleSideEffects: false } },
    },
  })) as Rolldown.RolldownOutput[]
  return built[0]?.output[0].code ?? ''
}

function readFields(endpoints: readonly Called[]): Called[] {
  return endpoints.map(({ name, method, path, changes, changesWhen }) => {
    return { name, method, path, changes, changesWhen }
  })
}

it('is method, path and topics of every endpoint', async () => {
  const code = await bundled()
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  const { allEndpoints: kept } = (await import(/* @vite-ignore */ url)) as {
    allEndpoints: Called[]
  }
  expect(readFields(kept)).toEqual(readFields(allEndpoints))
})
