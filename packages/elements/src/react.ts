'use client'
/** `<ServiceImport>` for React 18 and 19: properties and events as props. Safe to render on a server. */

import {createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef} from 'react'
import type {CSSProperties, ReactNode} from 'react'

import type {ImportEventMap, ServiceImport as Element, ServiceImportProperties} from './types.js'

export type * from './types.js'

type Pascal<Name extends string> = Name extends `${infer Head}-${infer Rest}` ? `${Capitalize<Head>}${Pascal<Rest>}` : Capitalize<Name>
/** `onImportApplied`, `onImportError`, one for each event. */
export type ImportHandlers = {[Name in keyof ImportEventMap as `on${Pascal<Name>}`]?: (event: ImportEventMap[Name]) => void}

export interface ServiceImportProps extends Partial<ServiceImportProperties>, ImportHandlers {
  apiBaseUrl: string
  id?: string
  className?: string
  style?: CSSProperties
  children?: ReactNode
}

const OF_REACT = new Set(['id', 'className', 'style', 'children'])
const EVENT = /^onImport[A-Z]/
const isBrowser = typeof window !== 'undefined'
const useNow = isBrowser ? useLayoutEffect : useEffect

export const ServiceImport = forwardRef<Element, ServiceImportProps>((props, outer) => {
  const own = useRef<Element>(null)
  const latest = useRef(props)
  const set = useRef<Partial<Record<string, unknown>>>({})
  useImperativeHandle(outer, () => own.current as Element)
  useNow(() => {
    latest.current = props
    const element = own.current as unknown as Record<string, unknown>
    for (const [name, value] of Object.entries(props)) {
      if (OF_REACT.has(name) || EVENT.test(name) || value === undefined || set.current[name] === value) continue
      set.current[name] = element[name] = value
    }
  })
  useEffect(() => {
    void import('./service-import.js')
    const element = own.current as Element
    const names = ['applied', 'ready', 'step', 'file', 'progress', 'question', 'error', 'cancel', 'closed', 'rows-refused', 'rows-failed'].map(name => `import-${name}`)
    const tell = (event: Event): void => {
      const name = event.type.replace(/(^|-)(.)/g, (_all, _hyphen, letter: string) => letter.toUpperCase())
      const handle = latest.current[`on${name}` as keyof ImportHandlers] as ((event: Event) => void) | undefined
      handle?.(event)
    }
    for (const name of names) element.addEventListener(name, tell)
    return () => { for (const name of names) element.removeEventListener(name, tell) }
  }, [])
  const {id, className, style, children} = props
  return createElement('service-import', {ref: own, id, class: className, style}, children)
})
ServiceImport.displayName = 'ServiceImport'
