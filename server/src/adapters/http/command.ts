// Serves an endpoint that changes something: the command gets what the edge knows of a call, and
// the compiler checks its answer against the contract.

import type { EndpointShape, Response } from '@redpack/contract'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../../rules/roles.ts'
import { trustedJson } from '../../shared/json-text.ts'
import { type Author, type CommandDeps, type Outcome, runCommand } from '../commands/run-command.ts'
import type { Queryable } from '../db/database.ts'
import {
  answerWriter,
  type Call,
  type Handler,
  type RouteGuards,
  replayableAnswer,
  serve,
  type Unknown,
} from './endpoint-routes.ts'

/** An endpoint that knows its caller before it runs. */
export type CommandEndpoint = EndpointShape & {
  readonly access: 'staff' | 'viewer'
  readonly response: object
}

/** A change, in the order in which it happens. */
export interface Command<E extends EndpointShape, Order, Prepared, Answer> {
  /** What is asked for, in the words of the use-case. */
  readonly order: (call: Call<E>) => Order
  /** What decides what the call does, where that is not the order: another under the same key. */
  readonly input?: (order: Order) => unknown
  /**
   * What asks the outside or takes long; before the transaction, also for a repetition, whose
   * stored answer comes before what is refused here.
   */
  readonly prepare?: (order: Order, call: Call<E>) => Promise<Prepared>
  /** The change itself. It may be started over, so its only effect is on `tx`. */
  readonly run: (
    tx: Queryable,
    by: Author,
    order: Order,
    prepared: Prepared,
  ) => Promise<Outcome<Answer>>
}

/** Cannot be met by an answer with a field that the contract does not have. */
type Exactly<Answer, Known> =
  Unknown<Answer, Known> extends never ? unknown : { readonly unknown: Unknown<Answer, Known> }

/** The same outcome with another answer, for what the use-case does not answer itself. */
export function withAnswer<Answer>(
  { answer: _answer, ...outcome }: Outcome<unknown>,
  answer: Answer,
): Outcome<Answer> {
  return { ...outcome, answer }
}

/** The outcome with a sentence as its answer. */
export const withSentence = (outcome: Outcome<unknown>, message: string) =>
  withAnswer(outcome, { success: true, message } as const)

interface CommandContext extends CommandDeps {
  readonly app: FastifyInstance
  readonly guards: RouteGuards
}

/**
 * Serves `endpoint` with a command. Author, clock, key and route are the edge's; the answer is
 * written once, and stored as that text under a key. It does not compile when `run` answers a
 * field less, a field more, or one of another type.
 */
export function command<E extends CommandEndpoint, Order, Prepared, Answer extends Response<E>>(
  context: CommandContext,
  endpoint: E,
  {
    order: orderOf,
    input,
    prepare,
    run,
  }: Command<E, Order, Prepared, Answer> & Exactly<Answer, Response<E>>,
): void {
  const route = `${endpoint.method} ${endpoint.path}`
  // What is stored under keys is the use-case's own text; any other is written by the schema.
  const isStored = endpoint.idempotent === true
  serve(context.app, context.guards, endpoint, async (call) => {
    const order = orderOf(call)
    const { request, reply, idempotencyKey } = call
    const ready = async () => {
      // Without a key the edge has asked.
      const isUnasked = endpoint.concernsEverybody === true && idempotencyKey !== undefined
      if (isUnasked) await context.guards.requireForEverybody(call.actor as Actor)
      // Without a preparation nothing asks for it.
      return (await prepare?.(order, call)) as Prepared
    }
    const [prepared] = await Promise.allSettled([ready()])
    const asSchema = answerWriter(endpoint, reply)
    const write = (answer: Answer) => trustedJson<Answer>(asSchema(answer))
    const { userId: actorId } = call.actor as Actor
    const asked = input === undefined ? order : input(order)
    const answered = await runCommand<Answer>(
      context,
      { actorId, requestId: request.id, route, idempotencyKey, input: asked },
      (tx, by) => {
        if (prepared.status === 'rejected') throw prepared.reason
        return run(tx, by, order, prepared.value)
      },
      isStored ? undefined : write,
    )
    return replayableAnswer<Response<E>>(answered) as Awaited<ReturnType<Handler<E>>>
  })
}
