interface Timed {
  readonly attributes: { readonly 'status-timestamps': Readonly<Record<string, string>> };
}

/** Time that the agent worked on a run, seconds: plan and apply, without waiting. Undefined before it starts. */
export function worked(phases: readonly (Timed | undefined)[], now: number): number | undefined {
  const spans = phases.flatMap((phase) => {
    const times = phase?.attributes['status-timestamps'] ?? {};
    const begun = times['started-at'];
    if (begun === undefined) return [];
    const end = times['finished-at'] ?? times['errored-at'] ?? times['canceled-at'];
    return [Math.max(0, (end === undefined ? now : Date.parse(end)) - Date.parse(begun)) / 1000];
  });
  return spans.length === 0 ? undefined : spans.reduce((sum, span) => sum + span, 0);
}
