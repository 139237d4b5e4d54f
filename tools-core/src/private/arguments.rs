//! A tool's typed parameters, read in one pass.
//!
//! `tag::<T>().slot()` is an empty slot for a parameter of the type `T`, found on the first rung that has one: what `T`
//! borrows from (`String` for `&str`) is kept in the slot, `arg()` gives the function what it takes.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::{Deserializer, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{
    ToolError,
    context::reader::{Slot, read_prefix, unfilled},
};

/// A type, as a value; and the first rung of what can be made of it.
pub struct Tag<T, D>(PhantomData<fn() -> (T, D)>);

/// Rung two of a type.
pub struct Owned<T, D>(PhantomData<fn() -> (T, D)>);

/// Rung three of a type.
pub struct Unreadable<T, D>(PhantomData<fn() -> (T, D)>);

/// Rung four of a type.
pub struct Undocumented<T, D>(PhantomData<fn() -> (T, D)>);

next_rung!(Tag<T, D> => Owned => Unreadable => Undocumented);

/// Marks a parameter whose schema is its type's own, so that a type without one is refused elsewhere.
pub struct Derived;

/// Marks a parameter whose schema is given beside it.
pub struct Given;

#[must_use]
pub const fn tag<T>() -> Tag<T, Derived> {
    Tag(PhantomData)
}

#[must_use]
pub const fn given<T>() -> Tag<T, Given> {
    Tag(PhantomData)
}

/// A value that was read, and how the function takes it.
pub struct Held<O, M> {
    owned: O,
    mode: PhantomData<fn() -> M>,
}

/// The function takes the value.
pub struct ByValue;
/// The function borrows `B`.
pub struct ByReference<B: ?Sized>(PhantomData<fn() -> *const B>);
/// The function borrows an optional `B`.
pub struct ByOption<B: ?Sized>(PhantomData<fn() -> *const B>);

impl<T> Held<T, ByValue> {
    pub fn arg(self) -> T {
        self.owned
    }
}

impl<B: Borrowed + ?Sized> Held<B::Owned, ByReference<B>> {
    pub fn arg(&self) -> &B {
        B::of(&self.owned)
    }
}

impl<B: Borrowed + ?Sized> Held<Option<B::Owned>, ByOption<B>> {
    pub fn arg(&self) -> Option<&B> {
        self.owned.as_ref().map(B::of)
    }
}

/// What a reference borrows from.
pub trait Borrowed {
    /// The owned form, which is read.
    type Owned: DeserializeOwned;
    fn of(owned: &Self::Owned) -> &Self;
}

impl Borrowed for str {
    type Owned = String;
    fn of(owned: &String) -> &str {
        owned
    }
}

impl Borrowed for Path {
    type Owned = PathBuf;
    fn of(owned: &PathBuf) -> &Path {
        owned
    }
}

impl Borrowed for RawValue {
    type Owned = Box<RawValue>;
    fn of(owned: &Box<RawValue>) -> &RawValue {
        owned
    }
}

impl<T: DeserializeOwned> Borrowed for [T] {
    type Owned = Vec<T>;
    fn of(owned: &Vec<T>) -> &[T] {
        owned
    }
}

impl<T: DeserializeOwned> Borrowed for T {
    type Owned = T;
    fn of(owned: &T) -> &T {
        owned
    }
}

/// Types that a model's argument can be read as.
#[diagnostic::on_unimplemented(
    message = "a parameter of the type `{Self}` cannot be read from a model's arguments",
    label = "not `Deserialize`",
    note = "put `#[arguments]` on a type of your own, or read it with a module: `#[arg(with = module)]`"
)]
pub trait Readable: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {}

/// Lists that own what is in them. Only asked where one does not.
#[diagnostic::on_unimplemented(
    message = "a parameter of the type `{Self}` cannot be read from a model's arguments",
    label = "a list of borrowed values",
    note = "write `Vec<String>` or `&[String]` for a list of text: the parameter itself can be borrowed, what is in it cannot"
)]
pub trait OwnedItems {}

/// Rung one: what the function borrows.
impl<B: Borrowed + ?Sized, D> Tag<&B, D> {
    pub fn slot(&self) -> Option<Held<B::Owned, ByReference<B>>> {
        None
    }
}

impl<B: Borrowed + ?Sized, D> Tag<Option<&B>, D> {
    pub fn slot(&self) -> Option<Held<Option<B::Owned>, ByOption<B>>> {
        None
    }
}

/// Rung one as well: lists whose reading would borrow. The compiler notices only after it has chosen a rung, and then
/// speaks of lifetimes.
impl<'h, B: ?Sized, D> Tag<Vec<&'h B>, D> {
    pub fn slot(&self) -> Option<Unread<Vec<&'h B>>>
    where
        Vec<&'h B>: OwnedItems,
    {
        None
    }
}

/// Rung two: what the function takes by value.
impl<T: DeserializeOwned, D> Owned<T, D> {
    pub fn slot(&self) -> Option<Held<T, ByValue>> {
        None
    }
}

/// Rung three: types that have a schema and cannot be read.
impl<T> Unreadable<T, Given> {
    pub fn slot(&self) -> Option<Unread<T>>
    where
        T: Readable,
    {
        None
    }
}

impl<T: JsonSchema> Unreadable<T, Derived> {
    pub fn slot(&self) -> Option<Unread<T>>
    where
        T: Readable,
    {
        None
    }
}

/// Rung four: types without a schema. The static description refuses them; here they pass, so that one mistake is one
/// error.
impl<T> Undocumented<T, Derived> {
    pub fn slot(&self) -> Option<Unread<T>> {
        None
    }
}

/// A value of a type that was refused. Code that compiles has none.
pub struct Unread<T>(T);

impl<T> Unread<T> {
    pub fn arg(self) -> T {
        self.0
    }
}

impl<T> Slot for Option<Unread<T>> {
    fn read(&mut self, _: &str) -> Result<usize, serde_json::Error> {
        Err(serde::de::Error::custom("the type cannot be read"))
    }
}

impl<O: DeserializeOwned, M> Slot for Option<Held<O, M>> {
    fn read(&mut self, json: &str) -> Result<usize, serde_json::Error> {
        let (owned, length) = read_prefix::<O>(json)?;
        *self = Some(Held { owned, mode: PhantomData });
        Ok(length)
    }
}

/// A way of reading that `#[arg(with = module)]` names. A parameter of a method, whose type may depend on the service's,
/// has it under a type of its own, `Of`.
pub trait Within<Of = ()> {
    type Value;
    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error>;
}

/// A value that is read with `W`.
pub struct With<W: Within<Of>, Of = ()>(W::Value);

impl<W: Within<Of>, Of> With<W, Of> {
    pub fn arg(self) -> W::Value {
        self.0
    }
}

/// An empty slot for a parameter with `#[arg(with = module)]`.
#[must_use]
pub fn with<W: Within>() -> Option<With<W>> {
    None
}

/// An empty slot for such a parameter of a method.
#[must_use]
pub fn with_method<W: Within<Of>, Of>() -> Option<With<W, Of>> {
    None
}

struct Reading<W: Within<Of>, Of>(W::Value);

impl<'de, W: Within<Of>, Of> serde::Deserialize<'de> for Reading<W, Of> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        W::deserialize(deserializer).map(Self)
    }
}

impl<W: Within<Of>, Of> Slot for Option<With<W, Of>> {
    fn read(&mut self, json: &str) -> Result<usize, serde_json::Error> {
        let (value, length) = read_prefix::<Reading<W, Of>>(json)?;
        *self = Some(With(value.0));
        Ok(length)
    }
}

/// Slots for all parameters of a tool.
pub trait Slots: Sized {
    /// What the slots hold once all are filled.
    type Held;
    fn visit(
        self,
        fill: impl FnOnce(&mut [&mut dyn Slot]) -> Result<(), ToolError>,
    ) -> Result<Self::Held, ToolError>;
}

macro_rules! slots {
    ($($held:ident $index:tt),*) => {
        impl<$($held),*> Slots for ($(Option<$held>,)*)
        where
            $(Option<$held>: Slot),*
        {
            type Held = ($($held,)*);
            #[inline]
            #[allow(unused_mut, reason = "no slots are not changed")]
            fn visit(
                mut self,
                fill: impl FnOnce(&mut [&mut dyn Slot]) -> Result<(), ToolError>,
            ) -> Result<Self::Held, ToolError> {
                fill(&mut [$(&mut self.$index),*])?;
                match self {
                    #[allow(non_snake_case, reason = "a value goes by the name of its type")]
                    ($(Some($held),)*) => Ok(($($held,)*)),
                    #[allow(unreachable_patterns, reason = "no slots are always filled")]
                    _ => Err(unfilled()),
                }
            }
        }
    };
}

slots!();
slots!(A 0);
slots!(A 0, B 1);
slots!(A 0, B 1, C 2);
slots!(A 0, B 1, C 2, D 3);
slots!(A 0, B 1, C 2, D 3, E 4);
slots!(A 0, B 1, C 2, D 3, E 4, F 5);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
slots!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);
