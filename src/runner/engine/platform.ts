const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: 'amd64', ia32: '386' };

/** Name of this platform in releases and registries, for example `linux_amd64`. */
export const PLATFORM = `${process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`;
