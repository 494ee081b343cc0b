/** Counts events of this node since its start, by labels of a metric. */
export class OutcomeCounts<Labels extends Readonly<Record<string, string>>> {
  readonly #counts = new Map<string, { readonly labels: Labels; readonly value: number }>();

  count(labels: Labels, by = 1): void {
    const key = JSON.stringify(labels);
    this.#counts.set(key, { labels, value: (this.#counts.get(key)?.value ?? 0) + by });
  }

  all(): { readonly labels: Labels; readonly value: number }[] {
    return [...this.#counts.values()];
  }
}
