//! A connection without TLS to a server on this machine.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The length of a message that asks for the password: its type, its length and a code.
const REQUEST_LEN: usize = 9;

/// A connection without TLS to a server on this machine.
///
/// Another user of this machine could listen on the port while the server is down. So the password
/// itself is never sent: if the server asks for it instead of a proof, reading fails.
pub(super) struct LoopbackStream {
    stream: TcpStream,
    /// The first bytes that the server sent.
    head: Vec<u8>,
}

/// The error for a server that asks for the password itself.
#[derive(Debug, thiserror::Error)]
#[error("the server asks for the password itself")]
pub(super) struct AsksForPassword;

impl LoopbackStream {
    pub async fn connect(host: &str, port: u16) -> io::Result<LoopbackStream> {
        let stream = TcpStream::connect((host, port)).await?;
        stream.set_nodelay(true)?;
        Ok(LoopbackStream {
            stream,
            head: Vec::with_capacity(REQUEST_LEN),
        })
    }

    /// Looks at bytes that the server sent. Its first message decides how the client proves its
    /// identity.
    fn inspect(&mut self, bytes: &[u8]) -> io::Result<()> {
        let missing = REQUEST_LEN - self.head.len();
        self.head.extend(bytes.iter().take(missing));
        if self.head == *b"R\0\0\0\x08\0\0\0\x03" {
            return Err(io::Error::other(AsksForPassword));
        }
        Ok(())
    }
}

impl AsyncRead for LoopbackStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        Poll::Ready(self.inspect(&buf.filled()[before..]))
    }
}

impl AsyncWrite for LoopbackStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
