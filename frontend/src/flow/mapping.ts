/** The mapping while a person works on it: which column feeds which field. Pure. */

import type {CustomField, Json, Mapping, ModelSteps, Proposal, ProposedColumn, Question, Recipe, RecipeStep} from '../api/shapes.js'
import type {Field} from './fields.js'
import {SURE} from './steps.js'

export interface Draft {
  mapping: Mapping
  recipe: Recipe | null
  /** Columns that become fields of their own when the mapping is settled. */
  customFields?: CustomField[]
}

/** Stands for a field of its own among paths, none of which is like this. */
export const NEW = '+'

/** The initial mapping: what was confirmed, else what is proposed. */
export function draftOf(proposal: Proposal): Draft {
  const settled = proposal.mapping
  return {
    mapping: {...(settled ?? proposal.proposed.mapping)},
    recipe: settled ? proposal.recipe : proposal.proposed.recipe,
  }
}

/** What the engine itself would do, whatever was settled. */
export const suggested = (proposal: Proposal): Draft =>
  ({mapping: {...proposal.proposed.mapping}, recipe: proposal.proposed.recipe})

/** Send a column to a field, or to none. A field is fed by one column: the other one loses it. */
export function assign(draft: Draft, column: string, field: string | null): Draft {
  const kept = Object.entries(draft.mapping).filter(([other, target]) => other !== column && target !== field)
  const mapping = Object.fromEntries(kept)
  if (field !== null) mapping[column] = field
  const {customFields} = draft
  return {...draft, mapping, ...(customFields ? {customFields: customFields.filter(own => own.column !== column)} : {})}
}

/** Keep a column as a field of its own, or change what that field is. */
export function withCustom(draft: Draft, own: CustomField): Draft {
  const bare = assign(draft, own.column, null)
  return {...bare, customFields: [...bare.customFields ?? [], own]}
}

/** The field of its own that a column becomes. */
export const customOf = ({customFields}: Draft, column: string): CustomField | undefined => customFields?.find(own => own.column === column)

/** What a column feeds: a field, one of its own, or none. */
export const fedOf = (draft: Draft, column: string): string | null => customOf(draft, column) ? NEW : draft.mapping[column] ?? null

/** The columns that a step makes. */
export const made = (step: RecipeStep): string[] => step['groups'] ? Object.keys(groupsOf(step)) :
  ['into', 'nameInto', 'valueInto'].flatMap(name => (step[name] ?? []) as string | string[])

/** The columns that a step reads, also in the cells and conditions of its members. */
export const read = (step: RecipeStep): string[] =>
  [...new Set(step['groups'] ? Object.values(groupsOf(step)).flat().filter(name => name !== null) : named(step))]

/** The numbered columns that become each new one; null where a group lacks one. */
const groupsOf = (step: RecipeStep): Record<string, (string | null)[]> => step['groups'] as Record<string, (string | null)[]>

const named = (value: Json, tests?: boolean): string[] =>
  Object.entries(value && typeof value === 'object' ? value : {}).flatMap(([name, member]) => {
    if (tests && !['all', 'any', 'not'].includes(name)) return [name]
    if (name === 'values') return []
    return /^(columns?|within)$/.test(name) && !tests ? member as string[] : named(member, tests || name === 'if')
  })

/** The columns of the file and those that steps made, in the order they came to be. */
export function columnsOf(proposal: Proposal, draft: Draft): ProposedColumn[] {
  const names = new Set(proposal.columns.map(column => column.column))
  const extra = (draft.recipe?.steps ?? []).flatMap(made).filter(name => !names.has(name))
  return [
    ...proposal.columns,
    ...extra.map(column => ({
      column, field: draft.mapping[column] ?? null, score: 100, reason: '', decidedBy: null, alternatives: [], samples: [],
    })),
  ]
}

/** Add a step at the end of the recipe. */
export function withStep(draft: Draft, step: RecipeStep): Draft {
  return {...draft, recipe: {version: draft.recipe?.version ?? 1, steps: [...(draft.recipe?.steps ?? []), step]}}
}

/** What a model proposes for columns as they are mapped in a draft, unless its steps are in it. */
export function openSteps(advised: readonly ModelSteps[], {mapping, recipe}: Draft): ModelSteps[] {
  const there = new Set((recipe?.steps ?? []).map(step => JSON.stringify(step)))
  return advised.filter(({column, field, steps}) => mapping[column] === field && !steps.every(step => there.has(JSON.stringify(step))))
}

/** Remove a step, and with it what depends on its columns. */
export function withoutStep(draft: Draft, at: number): Draft {
  const steps = draft.recipe?.steps ?? []
  const gone = new Set(steps[at] ? made(steps[at]) : [])
  const kept = steps.filter((step, place) => {
    if (place === at) return false
    if (!read(step).some(name => gone.has(name))) return true
    made(step).forEach(name => gone.add(name))
    return false
  })
  const mapping = Object.fromEntries(Object.entries(draft.mapping).filter(([column]) => !gone.has(column)))
  const customFields = draft.customFields?.filter(({column}) => !gone.has(column))
  return {mapping, recipe: kept.length ? {version: draft.recipe?.version ?? 1, steps: kept} : null, ...(customFields ? {customFields} : {})}
}

/**
 * The field that an answer gives a column; undefined where it says nothing of the column. Null for an answer that only the engine can carry
 * out: one that splits the column, or joins it with others.
 */
export function fieldIn(value: Json, column: string): string | null | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const fields = Object.values(value)
  return new Set(fields).size < fields.length ? null : value[column] as string | undefined
}

/** Whether it is still open what a question's columns feed: of several it is enough that each of the fields has its column. */
export function isUnanswered({columns, candidates}: Question, chosen: ReadonlyMap<string, string | null>): boolean {
  if (columns.every(column => chosen.has(column))) return false
  const given = new Set(columns.map(column => chosen.get(column)))
  const fields = candidates.flatMap(({value}) => columns.flatMap(column => fieldIn(value, column) ?? []))
  return columns.length === 1 || !fields.length || !fields.every(field => given.has(field))
}

/** The questions about columns that the mapping answers as one of their candidates does, each with its answer. */
export function answersIn(questions: readonly Question[], chosen: ReadonlyMap<string, string | null>, {mapping}: Draft): [string, Json][] {
  return questions.flatMap((question): [string, Json][] => {
    const {id, kind, columns, candidates} = question
    if ((kind !== 'column' && kind !== 'columns') || isUnanswered(question, chosen)) return []
    const fed = columns.flatMap(column => mapping[column] ? [[column, mapping[column]]] : [])
    const value: Json = kind === 'column' ? mapping[columns[0]!] ?? null : Object.fromEntries(fed)
    const isOffered = value === null || candidates.some(candidate => JSON.stringify(candidate.value) === JSON.stringify(value))
    return isOffered ? [[id, value]] : []
  })
}

/** The column that feeds a field. */
export const fedBy = ({mapping}: Draft, field: string): string | undefined => Object.keys(mapping).find(column => mapping[column] === field)

/** The value of a column that holds the same one in every row. */
export function constantOf({recipe}: Draft, column: string): string | undefined {
  const step = recipe?.steps.find(step => step.do === 'constant' && step['into'] === column)
  return step && String(step['value'])
}

/** Feed a field by nothing; a column that was made for it alone goes, too. */
export function withoutField(draft: Draft, field: string): Draft {
  const column = fedBy(draft, field)
  if (column === undefined) return draft
  const at = draft.recipe?.steps.findIndex(step => step.do === 'constant' && step['into'] === column) ?? -1
  return at < 0 ? assign(draft, column, null) : withoutStep(draft, at)
}

/** Feed a field by the same value in every row; by nothing while there is none. */
export function withConstant(draft: Draft, field: string, value: string, label: string, columns: readonly string[]): Draft {
  const bare = withoutField(draft, field)
  if (!value) return bare
  const made = fedBy(draft, field)
  const into = freeName(columns.filter(column => column !== made), label)
  return assign(withStep(bare, {do: 'constant', value, into}), into, field)
}

const LOOKS_RIGHT = 0.4
const LIKELY = 50 // a score from which an answer is more likely than not

/** The kinds of questions about several columns at once that become rows, or take values from the row above. */
export const OF_SEVERAL: ReadonlySet<string> = new Set(['unpivot', 'groups'])

/** Whether one of a question's answers is probably right: the engine also asks about columns that hardly fit, for want of better ones. */
const isLikely = ({kind, candidates}: Question): boolean =>
  OF_SEVERAL.has(kind) || ((kind === 'column' || kind === 'columns') && candidates.some(({value, score}) => value !== null && (score ?? LIKELY) >= LIKELY))

/**
 * Whether a file looks like one of another catalog: fewer than four in ten of its columns have a sure match or a likely answer, and of the
 * required fields as few have a column. What a person, a profile or a contract decided is never in doubt.
 */
export function isUnfit({columns, mapping, proposed}: Proposal, questions: readonly Question[], fields: readonly Field[]): boolean {
  if (mapping || !columns.length || columns.some(({decidedBy}) => decidedBy)) return false
  const asked = new Set(questions.filter(isLikely).flatMap(question => question.columns))
  const fed = new Set(Object.values(proposed.mapping))
  const required = fields.filter(field => field.required && !field.hidden)
  const share = (all: number, good: number): number => all ? good / all : 0
  return Math.max(
    share(columns.length, columns.filter(({column, field, score}) => (field && score >= SURE) || asked.has(column)).length),
    share(required.length, required.filter(({path}) => fed.has(path)).length),
  ) < LOOKS_RIGHT
}

/** A name that no column has yet. */
export function freeName(taken: Iterable<string>, wanted: string): string {
  const names = new Set(taken)
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} (${number})`
    if (!names.has(name)) return name
  }
}
