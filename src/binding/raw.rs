//! Node-API by hand: arguments, state, strings and Buffers without the conversions of `#[napi]`.
//!
//! All `unsafe` of the hot calls stands here. What makes it sound, besides what Node-API itself promises:
//!
//! - The functions are reachable only through files in `lib`, on the thread of the environment that made them.
//!   A state is an external, which only these functions make and only those files hold.
//! - A slice lives no longer than the call: no JavaScript runs meanwhile that could detach or rewrite its
//!   memory. Memory that other threads can write (a SharedArrayBuffer) is never passed: `lib/native-parser.js`
//!   copies such a chunk, and the tables are made by those files themselves.

use std::{
    ffi::{CStr, c_void},
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use napi::{Env, Error, Result, Status, bindgen_prelude::*, check_status, sys};

/// The most arguments that a function here takes.
const ARGUMENTS: usize = 5;

/// What a bound function gets: its arguments.
pub struct Call<'a> {
    env: sys::napi_env,
    arguments: [sys::napi_value; ARGUMENTS],
    _call: PhantomData<&'a ()>,
}

/// A function to be bound. Gives the value to return, null for undefined.
pub type Function = fn(&Call<'_>) -> Result<sys::napi_value>;

/// Where functions are bound to.
pub struct Exports {
    env: sys::napi_env,
    target: sys::napi_value,
}

impl Exports {
    /// The module's exports.
    pub fn new(env: Env, exports: &Object<'_>) -> Self {
        Self { env: env.raw(), target: exports.raw() }
    }

    /// Binds a function under a name.
    pub fn function(&self, name: &CStr, function: Function) -> Result<()> {
        let mut value = ptr::null_mut();
        // SAFETY: `name` ends with a zero; the data pointer is a function, which lives for ever.
        check_status!(unsafe {
            sys::napi_create_function(
                self.env,
                name.as_ptr(),
                -1,
                Some(trampoline),
                function as *mut c_void,
                &mut value,
            )
        })?;
        // SAFETY: both are live handles of this environment.
        check_status!(unsafe { sys::napi_set_named_property(self.env, self.target, name.as_ptr(), value) })
    }
}

/// Takes the arguments, calls the function that is its data, turns an error or a panic into an exception.
unsafe extern "C" fn trampoline(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let mut arguments = [ptr::null_mut(); ARGUMENTS];
    let mut count = ARGUMENTS;
    let mut data = ptr::null_mut();
    // SAFETY: env and info are those of the call that is under way; `count` is the array's size.
    let status =
        unsafe { sys::napi_get_cb_info(env, info, &mut count, arguments.as_mut_ptr(), ptr::null_mut(), &mut data) };
    debug_assert_eq!(status, sys::Status::napi_ok);
    // SAFETY: only `Exports::function` makes functions with this trampoline, and their data is a `Function`.
    let function: Function = unsafe { std::mem::transmute::<*mut c_void, Function>(data) };
    let call = Call { env, arguments, _call: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| function(&call)))
        .unwrap_or_else(|_| Err(Error::new(Status::GenericFailure, "pg-protocol-native: a bug, please report it")));
    result.unwrap_or_else(|error| {
        // SAFETY: env is that of the call that is under way.
        unsafe { JsError::from(error).throw_into(env) };
        ptr::null_mut()
    })
}

impl Call<'_> {
    /// A new state for JavaScript to hold.
    pub fn new_state<T>(&self, state: T) -> Result<sys::napi_value> {
        let boxed = Box::into_raw(Box::new(state)).cast::<c_void>();
        let mut value = ptr::null_mut();
        // SAFETY: the box is given up to the external, whose finalizer takes it back exactly once.
        let status =
            unsafe { sys::napi_create_external(self.env, boxed, Some(drop_state::<T>), ptr::null_mut(), &mut value) };
        if status != sys::Status::napi_ok {
            // SAFETY: no external was made, so that nobody else will take the box back.
            drop(unsafe { Box::from_raw(boxed.cast::<T>()) });
        }
        check_status!(status)?;
        Ok(value)
    }

    /// The state that argument `index` is.
    ///
    /// # Safety
    /// The argument was made by [`Call::new_state`] with the same `T`, or is no external at all, and no
    /// other reference to that state is alive.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn state<T>(&self, index: usize) -> Result<&mut T> {
        let mut data = ptr::null_mut();
        // SAFETY: a live handle of this environment; for other values than externals the status says so.
        let status = unsafe { sys::napi_get_value_external(self.env, self.arguments[index], &mut data) };
        check_status!(status, "argument {index} is not a state")?;
        // SAFETY: by the contract above it is a box of T that the external keeps alive.
        Ok(unsafe { &mut *data.cast::<T>() })
    }

    /// The bytes of the Uint8Array that argument `index` is.
    pub fn bytes(&self, index: usize) -> Result<&[u8]> {
        let (data, length) = self.typed_array(index, sys::TypedarrayType::uint8_array)?;
        if length == 0 {
            return Ok(&[]);
        }
        // SAFETY: V8 keeps `length` bytes at `data` while the argument is alive; see the module's head.
        Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) })
    }

    /// The words of the Int32Array that argument `index` is.
    ///
    /// # Safety
    /// It shares no memory with another slice of the same call.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn words(&self, index: usize) -> Result<&mut [i32]> {
        let (data, length) = self.typed_array(index, sys::TypedarrayType::int32_array)?;
        if length == 0 {
            return Ok(&mut []);
        }
        // SAFETY: V8 keeps `length` aligned words at `data` while the argument is alive; the caller vouches
        // for the rest.
        Ok(unsafe { std::slice::from_raw_parts_mut(data.cast::<i32>(), length) })
    }

    fn typed_array(&self, index: usize, wanted: i32) -> Result<(*mut c_void, usize)> {
        let mut kind = 0;
        let mut length = 0;
        let mut data = ptr::null_mut();
        // SAFETY: a live handle of this environment; for other values than typed arrays the status says so.
        // The two last results are not asked for: they would cost a handle.
        let status = unsafe {
            sys::napi_get_typedarray_info(
                self.env,
                self.arguments[index],
                &mut kind,
                &mut length,
                &mut data,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        check_status!(status, "argument {index} is not a typed array")?;
        if kind != wanted {
            return Err(Error::new(Status::InvalidArg, format!("argument {index} is the wrong typed array")));
        }
        Ok((data, length))
    }

    /// The number that argument `index` is.
    pub fn int(&self, index: usize) -> Result<i32> {
        let mut value = 0;
        // SAFETY: a live handle of this environment; for other values than numbers the status says so.
        check_status!(unsafe { sys::napi_get_value_int32(self.env, self.arguments[index], &mut value) })?;
        Ok(value)
    }

    /// The text of the string that argument `index` is.
    pub fn string(&self, index: usize) -> Result<String> {
        // SAFETY: a live handle of this environment; other values than strings are refused.
        unsafe { String::from_napi_value(self.env, self.arguments[index]) }
    }

    /// Sets an element of the array that argument `index` is.
    pub fn set_element(&self, index: usize, element: usize, value: sys::napi_value) -> Result<()> {
        // SAFETY: live handles of this environment.
        check_status!(unsafe { sys::napi_set_element(self.env, self.arguments[index], element as u32, value) })
    }

    /// A string of one byte per character.
    pub fn latin1(&self, chars: &[u8]) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: V8 copies `chars.len()` bytes.
        check_status!(unsafe {
            sys::napi_create_string_latin1(self.env, chars.as_ptr().cast(), chars.len() as isize, &mut value)
        })?;
        Ok(value)
    }

    /// A string of two bytes per character.
    pub fn utf16(&self, chars: &[u16]) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: V8 copies `chars.len()` units.
        check_status!(unsafe {
            sys::napi_create_string_utf16(self.env, chars.as_ptr(), chars.len() as isize, &mut value)
        })?;
        Ok(value)
    }

    /// `null`, where undefined means something else.
    pub fn null(&self) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is that of the call that is under way.
        check_status!(unsafe { sys::napi_get_null(self.env, &mut value) })?;
        Ok(value)
    }

    /// The environment, for what is not made here.
    pub fn env(&self) -> Env {
        Env::from_raw(self.env)
    }
}

/// Takes back the box that an external held.
unsafe extern "C" fn drop_state<T>(_env: sys::napi_env, data: *mut c_void, _hint: *mut c_void) {
    // SAFETY: the pointer came from `Box::into_raw` in `new_state`, and Node-API finalizes once.
    drop(unsafe { Box::from_raw(data.cast::<T>()) });
}
