// Development dependencies that come without types.
declare module 'pg-copy-streams'
declare module 'pg-cursor'
