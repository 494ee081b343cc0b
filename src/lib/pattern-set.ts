import { compileGlob, type Glob } from './glob.ts';
import type { Steps } from './slices.ts';

/** Matching rules, if they differ from those of `matchesGlob`. */
export interface PatternLanguage {
  compile(pattern: string): Glob;
  /** Returns whether a star at the start of a pattern may match this text. */
  mayBegin(text: string): boolean;
}

const ANY_TEXT: PatternLanguage = { compile: compileGlob, mayBegin: () => true };
/** Number of values looked up, or matched with a pattern, in one step. */
const TRIED_IN_STEP = 32;
/** Number of patterns added in one step. */
const ADDED_IN_STEP = 20;

/**
 * Returns whether the pattern has no star, or its only star is at its start or end. Such patterns are looked up instead
 * of tried.
 */
export function isLookedUp(pattern: string): boolean {
  const star = pattern.indexOf('*');
  return star < 0 || star === pattern.length - 1 || (star === 0 && !pattern.includes('*', 1));
}

/**
 * A set of patterns, any of which may match. Patterns without a star, or with a single one at their start or end, are
 * found by lookup; each other pattern costs one pass over the value.
 */
export class PatternSet {
  readonly #language: PatternLanguage;
  readonly #exact = new Set<string>();
  readonly #beginnings = new Affixes();
  readonly #endings = new Affixes();
  readonly #others: Glob[] = [];

  private constructor(language: PatternLanguage) {
    this.#language = language;
  }

  static *fromPatterns(patterns: Iterable<string>, language = ANY_TEXT): Steps<PatternSet> {
    const set = new PatternSet(language);
    let added = 0;
    for (const pattern of new Set(patterns)) {
      set.#add(pattern);
      if (++added % ADDED_IN_STEP === 0) yield;
    }
    return set;
  }

  matches(value: string): boolean {
    return this.#finds(value) || this.#others.some((fits) => fits(value));
  }

  /** Returns whether any pattern matches any of the values. */
  *matchesAny(values: readonly string[]): Steps<boolean> {
    let tried = 0;
    for (const value of values) {
      if (this.#finds(value)) return true;
      if (++tried % TRIED_IN_STEP === 0) yield;
    }
    for (const fits of this.#others) {
      for (const value of values) {
        if (fits(value)) return true;
        if (++tried % TRIED_IN_STEP === 0) yield;
      }
    }
    return false;
  }

  #finds(value: string): boolean {
    return (
      this.#exact.has(value) ||
      this.#beginnings.some(value.length, (length) => value.slice(0, length)) ||
      this.#endings.some(value.length, (length) => {
        const star = value.length - length;
        return this.#language.mayBegin(value.slice(0, star)) ? value.slice(star) : undefined;
      })
    );
  }

  #add(pattern: string): void {
    if (!isLookedUp(pattern)) this.#others.push(this.#language.compile(pattern));
    else if (pattern.endsWith('*')) this.#beginnings.add(pattern.slice(0, -1));
    else if (pattern.startsWith('*')) this.#endings.add(pattern.slice(1));
    else this.#exact.add(pattern);
  }
}

/** Prefixes or suffixes of values. */
class Affixes {
  readonly #texts = new Set<string>();
  readonly #lengths = new Set<number>();

  add(text: string): void {
    this.#texts.add(text);
    this.#lengths.add(text.length);
  }

  some(most: number, part: (length: number) => string | undefined): boolean {
    for (const length of this.#lengths) {
      if (length > most) continue;
      const text = part(length);
      if (text !== undefined && this.#texts.has(text)) return true;
    }
    return false;
  }
}
