/** What a member of a field says, in words: for changes that people read. */

import {sayOr} from '../../messages/words.js'
import type {Desk} from '../desk.js'
import {list, objects, text, type Json, type JsonObject} from '../model/catalog.js'
import type {WordKey} from '../words/words.js'
import {short} from './conflict.js'

const SIGNS: Record<string, string> = {eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤'}
const MEMBERS: Record<string, WordKey> = {
  label: 'label', title: 'title', columnType: 'type', required: 'required', description: 'description', example: 'example', columnSize: 'column_size',
  validations: 'rules', alternativeMatches: 'names', dropdownOptions: 'options', valueDetectors: 'detectors', reference: 'reference', isMultiSelect: 'multiple',
  outputFormat: 'output_format', allowCustomOptions: 'options_custom', numberFormat: 'number_format', optionMappingMode: 'options_mode',
  hidden: 'hidden', disabled: 'disabled', readOnly: 'read_only', scope: 'once', position: 'position', aliases: 'aliases', keySeparator: 'separator', region: 'region',
}
const SHOWN = 6

export const memberName = (desk: Desk, member: string): string => (MEMBERS[member] ? desk.say(MEMBERS[member]) : member)

/** Return a value of a member as a short text; "none" if it is not set. */
export function told(desk: Desk, member: string | null, value: Json | undefined): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return desk.say('none')
  switch (member) {
    case 'validations': return some(desk, objects(value).map(rule => toldRule(desk, rule)))
    case 'dropdownOptions': return some(desk, objects(value).map(option => text(option['label'])))
    case 'valueDetectors': return some(desk, objects(value).map(item => text(item['name']) || text(item['pattern']) || list(item['values']).map(text).slice(0, 3).join(', ')))
    case 'columnType': return sayOr(desk.say, `type_${text(value)}`, text(value))
    case 'reference': {
      const held = value as JsonObject
      return `${text(held['entity'])} (${list(held['matchOn']).map(text).join(', ')})`
    }
    default:
      if (typeof value === 'boolean') return desk.say(value ? 'yes' : 'no')
      return Array.isArray(value) && value.every(item => typeof item !== 'object') ? some(desk, value.map(text)) : short(value)
  }
}

function toldRule(desk: Desk, rule: JsonObject): string {
  const {say} = desk
  const kind = text(rule['validate'])
  const name = sayOr(say, `rule_${kind}`, kind)
  const columns = list(rule['columns']).map(text).join(', ')
  const conditions = Object.entries((rule['columnValues'] ?? {}) as JsonObject)
    .map(([column, values]) => `${column} ${say('is')} ${(Array.isArray(values) ? values : [values]).map(text).slice(0, SHOWN).join(', ')}`).join('; ')
  const sign = SIGNS[text(rule['op'])] ?? ''
  const said = kind === 'regex' ? `${name} ${text(rule['regex'])}`
    : kind === 'compare' ? `${sign} ${rule['column'] !== undefined ? text(rule['column']) : columns ? `${say(rule['fn'] === 'product' ? 'against_product' : 'against_sum')} ${columns}` : text(rule['value'])}`
    : [name, columns || conditions].filter(Boolean).join(' ')
  return rule['severity'] === 'warning' ? `${said} (${say('warning')})` : said
}

const some = (desk: Desk, texts: string[]): string =>
  texts.length > SHOWN ? `${texts.slice(0, SHOWN).join(', ')} ${desk.say('and_more', {n: texts.length - SHOWN})}` : texts.join(', ')
