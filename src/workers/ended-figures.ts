/** One number of a figure, by its labels. */
interface Value {
  readonly value: number;
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, unknown>>;
}

interface Figure {
  readonly name: string;
  readonly type: string;
  readonly values: readonly Value[];
}

/** What only grows: counts do not become less because a process has ended. */
const LASTING = new Set(['counter', 'histogram']);

/** The sum of what processes had counted that have ended, as one more process would tell it. */
export class EndedFigures {
  readonly #figures = new Map<string, { readonly of: Figure; readonly values: Map<string, Value> }>();

  add(figures: unknown): void {
    if (!Array.isArray(figures)) return;
    for (const figure of figures as Figure[]) {
      if (LASTING.has(figure.type)) this.#add(figure);
    }
  }

  all(): unknown[] {
    return [...this.#figures.values()].map(({ of, values }) => ({ ...of, values: [...values.values()] }));
  }

  #add(figure: Figure): void {
    const { values } = this.#figures.get(figure.name) ?? { values: new Map<string, Value>() };
    this.#figures.set(figure.name, { of: figure, values });
    for (const one of figure.values) {
      const key = JSON.stringify([one.metricName, Object.entries(one.labels).sort()]);
      values.set(key, { ...one, value: one.value + (values.get(key)?.value ?? 0) });
    }
  }
}
