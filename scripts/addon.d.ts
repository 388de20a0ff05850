// What `require` of a compiled addon gives, for the type check of lib/binding.js; lib/binding.d.ts has the details.
declare module '*.node'
